// SPDX-License-Identifier: Apache-2.0
// Clients that go away, do nothing, or ask for too much: nobody else is disturbed, and no job is lost to them.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { refuses } from './contract.mjs';
import { end, job, process as drawn, start } from './models.mjs';
import * as sdk from './sdk_grpc.mjs';
import { here, pause, sanitized, serve, until } from './server.mjs';
import { open } from './zeebe_node.mjs';

// Another process that takes jobs and does nothing with them (holder.mjs).
async function holder(server, how, type, lease) {
  const child = spawn(globalThis.process.execPath, [join(here, 'holder.mjs'), server.grpc, how, type, `${lease}`],
    { stdio: ['ignore', 'pipe', 'inherit'] });
  const keys = [];
  const said = { ready: false };
  child.stdout.setEncoding('utf8').on('data', text => {
    for (const line of text.split('\n').filter(Boolean)) {
      if (line === 'ready') said.ready = true;
      else keys.push(line);
    }
  });
  assert.ok(await until(() => said.ready), 'the holder did not start');
  return { keys, signal: name => child.kill(name), gone: new Promise(done => child.on('close', done)) };
}

async function deployed(client, id) {
  await client.deploy(`${id}.bpmn`, drawn(id, start, job(`${id}-job`), end));
}

const startMany = (client, id, count, variables = {}) =>
  Promise.all(Array.from({ length: count }, () => client.start(id, variables)));

// All that is offered within so many milliseconds.
async function offered(client, type, ms) {
  const keys = [];
  const last = performance.now() + ms;
  for (let left = ms; left > 0; left = last - performance.now()) {
    keys.push(...(await client.activate(type, { most: 100, wait: Math.ceil(left) })).map(one => one.key));
  }
  return keys;
}

const resident = server =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${server.child.pid}/status`, 'utf8'))[1]) / 1024;

describe('a client that is gone', () => {
  let server;
  let client;
  before(async () => {
    server = await serve();
    client = sdk.open(server);
  });
  after(async () => {
    await client.close();
    await server.stop();
  });

  test('gets no job when it was killed while its poll waited', async () => {
    await deployed(client, 'waited');
    const dead = await holder(server, 'poll', 'waited-job', 60_000);
    await pause(200);
    dead.signal('SIGKILL');
    await dead.gone;
    await pause(200);
    await startMany(client, 'waited', 5);
    assert.equal((await offered(client, 'waited-job', 2_000)).length, 5);
  });

  test('gives jobs back that were not sent to it: at once; those that were sent: when their time is over', async () => {
    const count = 200;
    await deployed(client, 'stuck');
    const stuck = await holder(server, 'stream', 'stuck-job', 6_000);
    stuck.signal('SIGSTOP');  // reads nothing any more: what is sent stays below the window of HTTP/2
    await startMany(client, 'stuck', count, { text: 'x'.repeat(4_000) });
    assert.deepEqual(await client.activate('stuck-job', { most: 100, wait: -1 }), [], 'the stream has them all');
    stuck.signal('SIGKILL');
    await stuck.gone;
    const soon = await offered(client, 'stuck-job', 2_000);
    assert.ok(soon.length > count / 2 && soon.length < count, `${soon.length} were offered again at once`);
    const late = await offered(client, 'stuck-job', 6_000);
    assert.equal(new Set([...soon, ...late]).size, count);
    assert.equal(soon.length + late.length, count, 'each was offered once');
  });

  test('keeps the jobs that it has seen until their time is over', async () => {
    await deployed(client, 'held');
    await startMany(client, 'held', 3);
    const dead = await holder(server, 'poll', 'held-job', 3_000);
    assert.ok(await until(() => dead.keys.length === 3));
    dead.signal('SIGKILL');
    await dead.gone;
    assert.deepEqual(await client.activate('held-job', { most: 10, wait: 500 }), []);
    assert.deepEqual((await offered(client, 'held-job', 4_000)).sort(), dead.keys.sort());
  });

  test('may wait a thousand times', async () => {
    const polls = 1_000;
    const other = open(server);
    await deployed(client, 'thousand');
    const before = resident(server);
    const streams = await Promise.all(Array.from({ length: polls }, (_, i) => other.client.grpc.activateJobsStream(
      { type: i % 2 ? 'idle' : 'thousand-job', worker: `w${i}`, timeout: 60_000, maxJobsToActivate: 1,
        requestTimeout: 30_000 })));
    let came = 0;
    for (const one of streams) one.on('data', ({ jobs }) => { came += jobs.length; }).on('error', () => {});
    await pause(500);
    const grown = resident(server) - before;
    if (!sanitized) assert.ok(grown < 30, `${grown} MB for ${polls} polls`);
    await startMany(client, 'thousand', 100);
    assert.ok(await until(() => came === 100), `${came} of 100 jobs came`);
    for (const one of streams) one.cancel();
    await other.close();
    await startMany(client, 'thousand', 5);
    assert.equal((await offered(client, 'thousand-job', 2_000)).length, 5, 'cancelled polls take no jobs');
  });
});

describe('a client that asks for too much', () => {
  let server;
  before(async () => { server = await serve(); });
  after(() => server.stop());

  test('is refused when a message is larger than 4 MB, and others are not', async () => {
    const client = open(server, { retry: false });
    await deployed(client, 'large');
    await refuses(client.start('large', { text: 'x'.repeat(5 << 20) }), 'RESOURCE_EXHAUSTED', /4194304|larg|MB/);
    await client.start('large', { text: 'x'.repeat(1 << 20) });
    const [found] = await client.activate('large-job', { wait: 5_000 });
    assert.equal(found.variables.text.length, 1 << 20);
    await client.close();
  });

  test('is refused when a compressed message is small, but large inside', async () => {
    const client = sdk.open(server);
    await refuses(client.start('large', { text: 'x'.repeat(64 << 20) }), 'RESOURCE_EXHAUSTED');
    await client.topology();
    await client.close();
    if (!sanitized) assert.ok(resident(server) < 200, `${resident(server)} MB`);
  });
});
