// SPDX-License-Identifier: Apache-2.0
// examples/zeebe: the model, the worker in Node and the worker in shell, as its README says.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { cpSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { folder, here, root, serve, until } from './server.mjs';
import { open, program } from './zbctl.mjs';

const pens = [{ sku: 'pen', count: 3 }, { sku: 'book', count: 1 }];
const desk = [{ sku: 'desk', count: 1 }];

describe('the example for Camunda 8', () => {
  const place = folder();
  const workers = [];
  let server;
  let client;
  before(async () => {
    cpSync(join(root, 'examples', 'zeebe'), place, { recursive: true });
    symlinkSync(join(here, 'node_modules'), join(place, 'node_modules'));  // as npm install would make it
    server = await serve();
    client = open(server);
    const begin = (file, ...words) => workers.push(spawn(file, words, { cwd: place, stdio: 'ignore' }));
    begin(process.execPath, 'worker.mjs', server.grpc);
    begin(program, 'create', 'worker', 'send-mail', '--handler', './mail.sh', '--insecure', '--address', server.grpc);
    await client.deploy('order.bpmn', readFileSync(join(place, 'order.bpmn')));
  });
  after(async () => {
    workers.forEach(one => one.kill());
    await server.stop();
  });

  const order = (orderId, more) => client.startAndWait('zeebe-order', { orderId, items: pens, ...more },
    { ms: 60_000 });
  const delivered = orderId => client.publish('goods-delivered', orderId, { ttl: 60_000 });

  test('an order is priced, charged, delivered, and thanked for', async () => {
    await delivered('A1');
    const { prices, receipt, mail } = await order('A1');
    assert.deepEqual([prices, receipt, mail], [[6, 30], 'R-A1-36', 'thank you for order A1']);
  });

  test('a declined card ends it', async () => {
    const { receipt, mail } = await order('A2', { card: 'empty' });
    assert.deepEqual([receipt, mail], [undefined, undefined]);
  });

  test('a large order waits for a person', async () => {
    await delivered('A3');
    const result = order('A3', { items: desk });
    const [asked] = await until(async () => {
      const found = await client.activate('user-task:approve', { wait: 2_000 });
      return found.length ? found : null;
    });
    assert.equal(asked.variables.orderId, 'A3');
    await client.complete(asked.key, { approved: true });
    assert.equal((await result).receipt, 'R-A3-250');
  });

  test('a person answers over REST', async () => {
    const ask = async (path, body) => {
      const answer = await fetch(`http://${server.http}/v2/user-tasks/${path}`,
        { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });
      assert.ok(answer.ok, await answer.clone().text());
      return answer.status === 204 ? null : answer.json();
    };
    const result = order('A4', { items: desk });
    const [task] = await until(async () => {
      const { items } = await ask('search', { filter: { state: 'CREATED', elementId: 'approve' } });
      return items.length ? items : null;
    });
    assert.deepEqual([task.name, task.candidateGroups], ['Approve the order', ['sales']]);
    await ask(`${task.userTaskKey}/completion`, { variables: { approved: false } });
    const { approved, receipt } = await result;
    assert.deepEqual([approved, receipt], [false, undefined]);
  });
});
