// SPDX-License-Identifier: Apache-2.0
// Scenarios: polls, leases, what workers say about jobs, loops, incidents.
import assert from 'node:assert/strict';
import { refuses } from './contract.mjs';
import { each, end, job, process, script, start, unlessError } from './models.mjs';
import { pause, until } from './server.mjs';

async function instanceOf(client, id, ...elements) {
  await client.deploy(`${id}.bpmn`, process(id, start, ...elements, end));
  return client.start(id, { a: 1, b: [true] });
}

const next = async (client, type, options = {}) =>
  (await client.activate(type, { wait: 5_000, ...options }))[0];

export const scenarios = {
  'gets a job with all that it needs, and its result moves on': {
    does: async client => {
      const key = await instanceOf(client, 'whole', job('whole-job', { headers: { to: 'mail', cc: 'é' }, retries: 5 }),
        job('whole-next'));
      const found = await next(client, 'whole-job');
      assert.equal(found.processInstanceKey, key);
      assert.deepEqual({ ...found.customHeaders }, { to: 'mail', cc: 'é' });
      assert.deepEqual(found.variables, { a: 1, b: [true] });
      assert.equal(found.retries, 5);
      await client.complete(found.key, { a: 2, c: null });
      await refuses(client.complete(found.key), 'NOT_FOUND', /COMPLETE/);
      assert.deepEqual((await next(client, 'whole-next')).variables, { a: 2, b: [true], c: null });
    },
  },

  'gets only the variables that it names': {
    does: async client => {
      await instanceOf(client, 'named', job('named-job'));
      assert.deepEqual((await next(client, 'named-job', { fetch: ['b', 'none'] })).variables, { b: [true] });
    },
  },

  'polls without waiting, and gets nothing at once': {
    needs: ['pollsAtOnce'],
    does: async client => {
      const began = performance.now();
      assert.deepEqual(await client.activate('nobody', { wait: -1 }), []);
      assert.ok(performance.now() - began < 2_000);
    },
  },

  'waits for a job as long as it said, and gets nothing': {
    does: async client => {
      const began = performance.now();
      assert.deepEqual(await client.activate('nobody', { wait: 700 }), []);
      const ms = performance.now() - began;
      assert.ok(ms > 600 && ms < 5_000, `${ms}`);
    },
  },

  'waits for a job and gets it when it is there': {
    does: async client => {
      await client.deploy('soon.bpmn', process('soon', start, job('soon-job'), end));
      const waiting = client.activate('soon-job', { wait: 10_000 });
      await pause(300);
      const began = performance.now();
      await client.start('soon', {});
      assert.equal((await waiting).length, 1);
      assert.ok(performance.now() - began < 5_000);
    },
  },

  'keeps a job until its time is over, then it is offered again': {
    does: async client => {
      await instanceOf(client, 'leased', job('leased-job'));
      const first = await next(client, 'leased-job', { lease: 2_500 });
      assert.deepEqual(await client.activate('leased-job', { wait: 200 }), []);
      const second = await next(client, 'leased-job');
      assert.deepEqual([second.key, second.retries], [first.key, 3]);
      await client.complete(first.key);  // late, but nobody was quicker
      await refuses(client.complete(second.key), 'NOT_FOUND');
    },
  },

  'asks for more time for a job': {
    needs: ['updateTimeout'],
    does: async client => {
      await instanceOf(client, 'longer', job('longer-job'));
      const found = await next(client, 'longer-job', { lease: 60_000 });
      await client.updateTimeout(found.key, 400);
      assert.equal((await next(client, 'longer-job', { lease: 2_500 })).key, found.key);
      await client.updateTimeout(found.key, 60_000);
      assert.deepEqual(await client.activate('longer-job', { wait: 2_500 }), []);
    },
  },

  'fails a job, and it is offered again after a pause with the retries that are left': {
    does: async client => {
      await instanceOf(client, 'failing', job('failing-job'));
      const first = await next(client, 'failing-job');
      await client.fail(first.key, 2, 'not yet', 2_500);
      assert.deepEqual(await client.activate('failing-job', { wait: 200 }), []);
      const again = await next(client, 'failing-job');
      assert.deepEqual([again.key, again.retries], [first.key, 2]);
      await client.complete(again.key);
    },
  },

  'repairs an incident: finds it, gives retries, resolves it': {
    does: async client => {
      const key = await instanceOf(client, 'broken', job('broken-job'));
      const found = await next(client, 'broken-job');
      await client.fail(found.key, 0, 'the printer is on fire');
      await refuses(client.complete(found.key), 'FAILED_PRECONDITION');
      assert.deepEqual(await client.activate('broken-job', { wait: 200 }), []);
      const incident = await client.incidentOf(key);
      assert.deepEqual([incident.errorType, incident.elementId, incident.jobKey],
        ['JOB_NO_RETRIES', 'broken-job', `${found.key}`]);
      assert.match(incident.errorMessage, /the printer is on fire$/);
      await client.updateRetries(found.key, 1);
      await client.resolve(incident.incidentKey);
      await refuses(client.resolve(incident.incidentKey), 'NOT_FOUND');
      const again = await next(client, 'broken-job');
      assert.deepEqual([again.key, again.retries], [found.key, 1]);
      await client.complete(again.key);
    },
  },

  'throws an error, and the event at the border takes it': {
    does: async client => {
      await client.deploy('thrown.bpmn', process('thrown', start,
        unlessError(job('thrown-job'), 'out-of-stock', script('missing', 'caught')), end));
      const result = client.startAndWait('thrown', {});
      const found = await next(client, 'thrown-job');
      await client.throwError(found.key, 'out-of-stock', { missing: 3 });
      assert.equal((await result).caught, 3);
      await refuses(client.complete(found.key), 'NOT_FOUND');
    },
  },

  'does the items of a loop in any order, and the results have theirs': {
    does: async client => {
      await client.deploy('loop.bpmn', process('loop', start,
        job('loop-job', { loop: each('items', 'item', 'results', 'result') }), end));
      const result = client.startAndWait('loop', { items: [1, 2, 3, 4, 5] }, { fetch: ['results'] });
      const found = [];
      await until(async () => {
        found.push(...await client.activate('loop-job', { wait: 2_000 }));
        return found.length === 5;
      });
      for (const one of found.reverse()) await client.complete(one.key, { result: one.variables.item * 10 });
      assert.deepEqual(await result, { results: [10, 20, 30, 40, 50] });
    },
  },

  'has a worker that does what comes': {
    needs: ['work'],
    does: async client => {
      await client.deploy('worked.bpmn', process('worked', start, job('add-one'), end));
      client.work('add-one', ({ n }) => ({ m: n + 1 }));
      const results = await Promise.all(Array.from({ length: 30 }, (_, n) =>
        client.startAndWait('worked', { n }, { ms: 50_000 })));
      assert.deepEqual(results, Array.from({ length: 30 }, (_, n) => ({ n, m: n + 1 })));
    },
  },
};
