// SPDX-License-Identifier: Apache-2.0
// REST as a browser asks for it: over HTTP/2, with TLS and without, on either port, beside gRPC.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { connect } from 'node:http2';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { end, job, process as drawn, start } from './models.mjs';
import { folder, pause, serve } from './server.mjs';

const files = folder();
const [certificate, key] = ['cert.pem', 'key.pem'].map(name => join(files, name));

function makeCertificate() {
  const made = spawnSync('openssl', ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1',
    '-nodes', '-keyout', key, '-out', certificate, '-days', '2', '-subj', '/CN=localhost',
    '-addext', 'subjectAltName=DNS:localhost,IP:127.0.0.1'], { encoding: 'utf8' });
  assert.equal(made.status, 0, made.stderr);
}

// A connection that many requests share, as a browser has it.
class Browser {
  constructor(origin, options) {
    this.origin = origin;
    this.session = connect(origin, options);
    this.session.on('error', () => {});
  }

  ask(method, path, body, headers = {}) {
    return new Promise((done, failed) => {
      const stream = this.session.request({ ':method': method, ':path': path, ...headers }, { endStream: body === undefined });
      let status;
      let text = '';
      stream.setEncoding('utf8');
      stream.on('response', got => { status = got[':status']; });
      stream.on('data', more => { text += more; });
      stream.on('error', failed);
      stream.on('end', () => {
        let answer = text;
        try { answer = JSON.parse(text); } catch { /* no JSON */ }
        done({ status, answer });
      });
      if (body !== undefined) stream.end(body);
    });
  }

  // As `fetch` of a page of this server does.
  fetch(path, body) {
    return this.ask('POST', path, JSON.stringify(body),
      { 'content-type': 'application/json', origin: this.origin, 'sec-fetch-site': 'same-origin' });
  }

  deploy(name, text) {
    const form = `--b\r\nContent-Disposition: form-data; name="resources"; filename="${name}"\r\n\r\n${text}\r\n--b--\r\n`;
    return this.ask('POST', '/v2/deployments', form, { 'content-type': 'multipart/form-data; boundary=b' });
  }

  // Not `close`: with TLS it sometimes never calls back, though the connection is gone.
  close() { this.session.destroy(); }
}

for (const tls of [true, false]) {
  for (const port of ['http', 'grpc']) {
    describe(`a browser ${tls ? 'with' : 'without'} TLS on the port of ${port}`, () => {
      let server;
      let browser;
      before(async () => {
        makeCertificate();
        server = await serve({ options: tls ? ['--tls-cert', certificate, '--tls-key', key] : [] });
        const number = server[port].split(':')[1];
        browser = new Browser(`${tls ? 'https' : 'http'}://localhost:${number}`, tls ? { ca: readFileSync(certificate) } : {});
      });
      after(async () => {
        browser.close();
        await server.stop();
      });

      test('C2: speaks HTTP/2 and reads the health', async () => {
        const { status, answer } = await browser.ask('GET', '/health/ready');
        assert.equal(status, 200);
        assert.match(JSON.stringify(answer), /UP/);
        if (tls) assert.equal(browser.session.alpnProtocol, 'h2');
      });

      test('works through a whole instance', async () => {
        assert.equal((await browser.deploy('seen.bpmn', drawn('seen', start, job('seen-job'), end))).status, 200);
        const waiting = browser.fetch('/v2/jobs/activation',
          { type: 'seen-job', worker: 'w', timeout: 60_000, maxJobsToActivate: 1, requestTimeout: 20_000 });
        await pause(100);
        const started = await browser.fetch('/v2/process-instances', { processDefinitionId: 'seen', variables: { a: 'ü' } });
        assert.equal(started.status, 200, JSON.stringify(started.answer));
        const { jobs } = (await waiting).answer;
        assert.equal(jobs.length, 1);
        assert.deepEqual(jobs[0].variables, { a: 'ü' });
        assert.equal((await browser.fetch(`/v2/jobs/${jobs[0].jobKey}/completion`, {})).status, 204);
        const found = await browser.fetch('/v2/process-instances/search', {});
        assert.equal(found.answer.items[0].state, 'COMPLETED');
      });

      test('asks many things at once, and large ones', async () => {
        const large = 'x'.repeat(1_000_000);
        const answers = await Promise.all([
          ...Array.from({ length: 100 }, () => browser.ask('GET', '/v2/topology')),
          ...Array.from({ length: 5 }, () => browser.fetch('/v2/signals/broadcast', { signalName: 's', variables: { large } })),
          browser.ask('GET', '/v2/openapi.json')]);
        for (const { status, answer } of answers) assert.equal(status, 200, JSON.stringify(answer));
        const head = await browser.ask('HEAD', '/v2/openapi.json');
        assert.deepEqual(head, { status: 200, answer: '' });
      });

      test('is refused with a problem, as over HTTP/1.1', async () => {
        assert.equal((await browser.ask('GET', '/nowhere')).answer.status, 404);
        assert.equal((await browser.ask('DELETE', '/v2/topology')).status, 405);
        assert.equal((await browser.fetch('/v2/process-instances', { processDefinitionId: 'none' })).status, 404);
        const tooLarge = await browser.ask('POST', '/v2/signals/broadcast', 'x'.repeat(5_000_000),
          { 'content-type': 'application/json' }).catch(({ code }) => ({ status: code }));
        assert.ok([413, 'ERR_HTTP2_STREAM_ERROR'].includes(tooLarge.status), tooLarge.status);
      });

      test('C1: is refused for a page of another site', async () => {
        for (const headers of [{ origin: 'http://evil.example' }, { 'sec-fetch-site': 'cross-site' }, { origin: 'null' }]) {
          const { status, answer } = await browser.ask('POST', '/v2/signals/broadcast', '{"signalName":"s"}',
            { 'content-type': 'application/json', ...headers });
          assert.equal(status, 403);
          assert.match(answer.detail, /may not change anything here/);
        }
        const other = await browser.ask('GET', '/v2/topology', undefined, { ':authority': 'evil.example' });
        assert.equal(other.status, 421);
        assert.match(other.answer.detail, /--host evil\.example/);
        const nameless = await browser.ask('POST', '/v2/signals/broadcast', '{"signalName":"s"}');
        assert.equal(nameless.status, 415);
      });
    });
  }
}
