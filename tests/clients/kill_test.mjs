// SPDX-License-Identifier: Apache-2.0
// The server is killed again and again under load and started again on the same data and port. Clients of two kinds
// go on by themselves, and the ledger is right. PAWL_KILLS says how often, PAWL_SEED repeats a run.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { ZBClient } from 'zeebe-node';
import { end, job, process as drawn, start } from './models.mjs';
import { connect } from './sdk_grpc.mjs';
import { pause, program, serve, until } from './server.mjs';
import { quiet } from './zeebe_node.mjs';

const kills = Number(process.env.PAWL_KILLS ?? 10);
let seed = Number(process.env.PAWL_SEED ?? Date.now() % 1_000_000);
const firstSeed = seed;
function dice() {
  seed = (Math.imul(seed, 1_103_515_245) + 12_345) & 0x7fffffff;
  return seed / 0x7fffffff;
}

// Not an answer of the server: the connection was lost, or the client made a new one and cancelled its calls. A client
// that sees its session break off calls that INTERNAL, and says that it was the client's.
const [cancelled, notFound, internal, unavailable] = [1, 5, 13, 14];
const isUnanswered = error => error.code === cancelled || error.code === unavailable ||
  (error.code === internal && /internal client error/.test(error.details));

// What was done in the world, told by those who did it.
class Ledger {
  started = new Set();   // instances whose start was acknowledged
  ran = new Map();       // how often the effect of an instance was made
  done = new Set();      // jobs whose completion was acknowledged
  wrong = [];

  runs(one) {
    if (this.done.has(one.key)) this.wrong.push(`job ${one.key} was offered again after its completion`);
    this.ran.set(one.processInstanceKey, (this.ran.get(one.processInstanceKey) ?? 0) + 1);
  }

  completed(key) {
    if (this.done.has(key)) this.wrong.push(`job ${key} was completed twice`);
    this.done.add(key);
  }
}

// Says "complete" itself, so that it knows the answer. NOT_FOUND: an earlier answer was lost. Without an answer the
// job comes again when its time is over.
const handler = (client, ledger, count) => async one => {
  if (count) ledger.runs(one);
  try {
    await client.completeJob({ jobKey: one.key, variables: {} });
    ledger.completed(one.key);
  } catch (error) {
    if (error.code !== notFound && !isUnanswered(error)) ledger.wrong.push(`job ${one.key}: ${error.message}`);
  }
  return one.forward();
};

// Ends when the load does, also when a start was answered wrongly: the ledger tells that.
async function startUntil(client, ledger, load) {
  while (load.on) {
    try {
      const made = await client.createProcessInstance({ bpmnProcessId: 'killed', variables: {} });
      ledger.started.add(made.processInstanceKey);
    } catch (error) {
      if (!isUnanswered(error)) ledger.wrong.push(`start: ${error.code} ${error.details ?? error.message}`);
    }
  }
}

function instances(data) {
  const listed = spawnSync(program, ['instances', '--data', data, '--json'], { encoding: 'utf8', maxBuffer: 1 << 28 });
  assert.equal(listed.status, 0, listed.stderr);
  return JSON.parse(listed.stdout);
}

test(`${kills} kills under load lose nothing and repeat nothing`, { timeout: 300_000 }, async () => {
  const began = performance.now();
  let server = await serve();
  const address = { data: server.data, grpc: server.grpc, http: server.http };
  const client = new ZBClient(server.grpc, quiet);
  const other = connect(server, { ZEEBE_GRPC_CLIENT_RETRY: true,
    zeebeGrpcSettings: { ZEEBE_CLIENT_LOG_LEVEL: 'NONE', ZEEBE_GRPC_WORKER_LONGPOLL_SECONDS: 2 },
  }).getZeebeGrpcApiClient();
  const model = drawn('killed', start, job('effect'), job('confirm'), end);
  await client.deployResource({ process: Buffer.from(model), name: 'killed.bpmn' });

  const ledger = new Ledger();
  const load = { on: true };
  client.createWorker({ taskType: 'effect', timeout: 2_000, taskHandler: handler(client, ledger, true) });
  other.createWorker({ taskType: 'confirm', timeout: 2_000, taskHandler: handler(other, ledger, false) });
  const starters = [1, 2, 3, 4].map(() => startUntil(client, ledger, load));

  for (let life = 0; life < kills; ++life) {
    const known = ledger.started.size;
    assert.ok(await until(() => ledger.started.size > known + 5), `life ${life}: the clients did not come back`);
    await pause(dice() * 600);
    await server.kill();
    server = await serve(address);
  }
  load.on = false;
  await Promise.all(starters);
  const finished = () => {
    const all = instances(address.data);
    return all.length > 0 && all.every(one => one.state === 'completed') ? all : null;
  };
  const all = await until(finished, 60_000);
  assert.ok(all, `PAWL_SEED=${firstSeed}: not all completed`);
  await client.close(1_000);
  await other.close(1_000);
  await server.stop();

  assert.deepEqual(ledger.wrong, [], `PAWL_SEED=${firstSeed}`);
  const keys = new Set(all.map(one => `${one.key}`));
  assert.deepEqual([...ledger.started].filter(key => !keys.has(key)), [], 'acknowledged, but not there');
  assert.deepEqual([...keys].filter(key => !ledger.ran.has(key)), [], 'completed, but the effect was not made');
  const verified = spawnSync(program, ['verify', address.data], { encoding: 'utf8' });
  assert.equal(verified.status, 0, verified.stdout + verified.stderr);
  const twice = [...ledger.ran.values()].filter(times => times > 1).length;
  console.log(`# ${kills} kills in ${Math.round((performance.now() - began) / 1000)} s: ${ledger.started.size} starts ` +
    `acknowledged, ${keys.size} instances, ${ledger.done.size} completions acknowledged, ${twice} effects made again`);
});
