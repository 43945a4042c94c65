// SPDX-License-Identifier: Apache-2.0
// TLS, signing in, and what an operator sees when the server starts and stops.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { refuses } from './contract.mjs';
import { end, job, process as drawn, start } from './models.mjs';
import * as sdk from './sdk_grpc.mjs';
import { folder, pause, program, sanitized, serve } from './server.mjs';
import * as zbctl from './zbctl.mjs';
import { open } from './zeebe_node.mjs';

const token = 'tok-3f9a71';
const password = 'pass-77c2';
const files = folder();
const file = name => join(files, name);

function certificate() {
  const made = spawnSync('openssl', ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1',
    '-nodes', '-keyout', file('key.pem'), '-out', file('cert.pem'), '-days', '2', '-subj', '/CN=localhost',
    '-addext', 'subjectAltName=DNS:localhost,IP:127.0.0.1'], { encoding: 'utf8' });
  assert.equal(made.status, 0, made.stderr);
  return ['--tls-cert', file('cert.pem'), '--tls-key', file('key.pem')];
}

function authFile() {
  writeFileSync(file('auth'), `# who may ask\ntoken ${token}\nuser ann ${password}\n`);
  return ['--auth', file('auth')];
}

const oneCall = async client => {
  try {
    return await client.deploy('signed.bpmn', drawn('signed', start, end));
  } finally {
    await client.close();
  }
};

// The program ends by itself: its exit code, and what it said.
function fails(...words) {
  const ran = spawnSync(program, ['serve', ...words], { encoding: 'utf8', timeout: 60_000 });
  assert.match(ran.stderr, /^pawl: .{20,}/);
  return [ran.status, ran.stderr];
}

describe('a server with TLS', () => {
  let server;
  let host;
  before(async () => {
    server = await serve({ options: certificate() });
    host = server.grpc.replace('127.0.0.1', 'localhost');
    assert.match(server.out, /with TLS/);
  });
  after(() => server.stop());

  test('serves zeebe-node', async () => {
    const rootCerts = readFileSync(file('cert.pem'));
    process.env.ZEEBE_CLIENT_SSL_ROOT_CERTS_PATH = file('cert.pem');
    const client = open({ grpc: host }, { useTLS: true, customSSL: { rootCerts } });
    delete process.env.ZEEBE_CLIENT_SSL_ROOT_CERTS_PATH;
    assert.equal((await oneCall(client)).id, 'signed');
  });

  test('serves @camunda8/sdk', async () => {
    const secure = { ZEEBE_GRPC_ADDRESS: `grpcs://${host}`, CAMUNDA_CUSTOM_ROOT_CERT_PATH: file('cert.pem') };
    assert.equal((await oneCall(sdk.open(server, secure))).id, 'signed');
  });

  test('serves zbctl', async () => {
    const client = zbctl.open(server, ['--address', host, '--certPath', file('cert.pem')]);
    assert.equal((await oneCall(client)).id, 'signed');
  });

  test('does not serve who speaks plain text', async () => {
    const ran = spawnSync(zbctl.program, ['status', '--insecure', '--address', server.grpc, '--requestTimeout', '2s'],
      { encoding: 'utf8' });
    assert.equal(ran.status, 1);
  });
});

describe('a server that asks who it is', () => {
  let server;
  before(async () => { server = await serve({ options: authFile() }); });
  after(async () => {
    for (const secret of [token, password, Buffer.from(`ann:${password}`).toString('base64'), 'wrong-token']) {
      assert.ok(!server.log.includes(secret) && !server.out.includes(secret), 'a secret is in the log');
    }
    await server.stop();
  });

  const bearer = text => ({ CAMUNDA_AUTH_STRATEGY: 'BEARER', CAMUNDA_OAUTH_TOKEN: text });
  const basic = (name, secret) => ({ CAMUNDA_AUTH_STRATEGY: 'BASIC', CAMUNDA_BASIC_AUTH_USERNAME: name,
    CAMUNDA_BASIC_AUTH_PASSWORD: secret });

  test('takes a token that it knows', async () => {
    assert.equal((await oneCall(sdk.open(server, bearer(token)))).id, 'signed');
  });

  test('takes a name with its password', async () => {
    assert.equal((await oneCall(sdk.open(server, basic('ann', password)))).id, 'signed');
    const client = open(server, { basicAuth: { username: 'ann', password }, useTLS: false });
    assert.equal((await oneCall(client)).id, 'signed');
  });

  test('refuses everyone else', async () => {
    for (const who of [bearer('wrong-token'), bearer(`${token}x`), basic('ann', 'no'), basic('bob', password), {}]) {
      await refuses(oneCall(sdk.open(server, who)), 'UNAUTHENTICATED', /sign in/);
    }
    await refuses(oneCall(zbctl.open(server)), 'UNAUTHENTICATED', /sign in/);
  });
});

describe('the operator', () => {
  test('must say who may ask, or that everyone may, before others can reach the server', async () => {
    const open = ['--data', folder(), '--http', '127.0.0.1:0', '--grpc', '0.0.0.0:0'];
    const [code, text] = fails(...open);
    assert.equal(code, 1);
    assert.match(text, /0\.0\.0\.0:0.*--auth.*--insecure/s);
    const server = await serve({ grpc: '0.0.0.0:0', options: ['--insecure'] });
    await server.stop();
  });

  test('may not start a second server on the same data', async () => {
    const server = await serve();
    const [code, text] = fails('--data', server.data, '--grpc', '127.0.0.1:0', '--http', '127.0.0.1:0');
    assert.equal(code, 5);
    assert.match(text, /in use|another|already/);
    await oneCall(open(server));
    await server.stop();
  });

  test('is told which address is taken, and which file cannot be read', async () => {
    const server = await serve();
    const rest = ['--data', folder(), '--http', '127.0.0.1:0'];
    assert.match(fails(...rest, '--grpc', server.grpc)[1], new RegExp(`cannot listen on ${server.grpc}`));
    assert.match(fails(...rest, '--grpc', '127.0.0.1:0', '--auth', 'nowhere')[1], /nowhere/);
    assert.match(fails(...rest, '--grpc', '127.0.0.1:0', '--tls-cert', 'nowhere', '--tls-key', 'x')[1], /nowhere/);
    await server.stop();
  });

  test('sees it ready within 100 ms on an empty directory', { skip: sanitized && 'not the optimised program' },
    async () => {
      const times = [];
      for (let i = 0; i < 5; ++i) {
        const server = await serve();
        times.push(server.readyAfter);
        await server.stop();
      }
      assert.ok(Math.min(...times) < 100, `${times.map(Math.round)} ms`);
    });

  test('stops it while much is under way, and who was answered was told the truth', async () => {
    const first = await serve();
    const client = open(first, { retry: false });
    await client.deploy('stopped.bpmn', drawn('stopped', start, job('stopped-job'), end));
    const starts = Array.from({ length: 300 }, () => client.start('stopped', {}));
    await starts[0];
    await first.stop();
    const told = await Promise.allSettled(starts);
    for (const one of told.filter(({ status }) => status === 'rejected')) {
      assert.equal(one.reason.refusal, 'UNAVAILABLE', one.reason.message);
      assert.doesNotMatch(one.reason.text, /dropped/, 'a call under way was not answered');
    }
    const listed = spawnSync(program, ['instances', '--data', first.data, '--json'], { encoding: 'utf8' });
    const there = new Set(JSON.parse(listed.stdout).map(one => `${one.key}`));
    for (const one of told.filter(({ status }) => status === 'fulfilled')) assert.ok(there.has(one.value));
    await client.close();
  });

  test('stops it while polls wait and jobs are streamed', async () => {
    const server = await serve();
    const client = sdk.open(server);
    const polls = [1, 2, 3].map(() => client.activate('nobody', { wait: 30_000 }));
    const waiting = Promise.allSettled(polls);
    const stream = await client.client.streamJobs({ type: 'none', worker: 'w', timeout: 1_000,
      taskHandler: one => one.complete() });
    await pause(500);
    const began = performance.now();
    await server.stop();
    assert.ok(performance.now() - began < 5_000);
    for (const poll of polls) await refuses(poll, 'UNAVAILABLE', /shutting down/);
    stream.close();
    await client.close();
  });
});

// The SDK tries for ever to open the stream again that the server closed.
after(() => setTimeout(() => process.exit(), 1_000));
