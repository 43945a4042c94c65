// SPDX-License-Identifier: Apache-2.0
// Scenarios: deploying, starting, results, variables, cancelling, timers.
import assert from 'node:assert/strict';
import { refuses } from './contract.mjs';
import { end, job, process, script, start, timer, unlessAfter } from './models.mjs';
import { until } from './server.mjs';

const unknown = '4503599627370497';

export const scenarios = {
  'sees one healthy node': {
    does: async client => {
      const topology = await client.topology();
      assert.equal(topology.clusterSize, 1);
      assert.match(topology.gatewayVersion, /^8\.\d+\.\d+$/);
      const [partition] = topology.brokers[0].partitions;
      assert.deepEqual([partition.partitionId, partition.role.toLowerCase(), partition.health.toLowerCase()],
        [1, 'leader', 'healthy']);
    },
  },

  'gets a new version only for a changed model': {
    does: async client => {
      const first = await client.deploy('versions.bpmn', process('versions', start, end));
      const again = await client.deploy('versions.bpmn', process('versions', start, end));
      const changed = await client.deploy('versions.bpmn', process('versions', start, timer('PT1H'), end));
      assert.deepEqual([first.id, first.version, again.version, changed.version], ['versions', 1, 1, 2]);
      assert.equal(again.key, first.key);
      assert.notEqual(changed.key, first.key);
    },
  },

  'is told which element of a model is wrong': {
    does: async client => {
      const wrong = process('wrong', start, { id: 'lost', xml: '<bpmn:serviceTask id="lost" />' }, end);
      await refuses(client.deploy('wrong.bpmn', wrong), 'INVALID_ARGUMENT', /lost/);
      await refuses(client.deploy('text.bpmn', 'no XML'), 'INVALID_ARGUMENT', /text\.bpmn/);
      await refuses(client.start('wrong', {}), 'NOT_FOUND', /wrong/);
    },
  },

  'gets the variables at the end, or those that it names': {
    does: async client => {
      await client.deploy('result.bpmn', process('result', start, script('a + 1', 'b'), end));
      assert.deepEqual(await client.startAndWait('result', { a: 1, c: [1, { d: 'é€' }] }),
        { a: 1, b: 2, c: [1, { d: 'é€' }] });
      assert.deepEqual(await client.startAndWait('result', { a: 1 }, { fetch: ['b', 'none'] }), { b: 2 });
    },
  },

  'is told when a result is not there in time, and the instance runs on': {
    does: async client => {
      await client.deploy('late.bpmn', process('late', start, job('late-job'), end));
      const began = performance.now();
      await refuses(client.startAndWait('late', {}, { ms: 500 }), 'DEADLINE_EXCEEDED');
      assert.ok(performance.now() - began < 5_000);
      const [found] = await client.activate('late-job', { wait: 5_000 });
      await client.complete(found.key);
    },
  },

  'is told what is not there': {
    does: async client => {
      const rows = [
        [() => client.start('nowhere', {}), /nowhere/],
        [() => client.complete(unknown, {}), /COMPLETE.*4503599627370497/],
        [() => client.fail(unknown, 1, 'why'), /FAIL.*4503599627370497/],
        [() => client.throwError(unknown, 'E', {}), /THROW_ERROR.*4503599627370497/],
        [() => client.cancel(unknown), /CANCEL.*4503599627370497/],
        [() => client.updateRetries(unknown, 1), /4503599627370497/],
        [() => client.resolve(unknown), /RESOLVE.*4503599627370497/],
        [() => client.setVariables(unknown, { a: 1 }, false), /4503599627370497/],
      ];
      for (const [call, words] of rows) await refuses(call(), 'NOT_FOUND', words);
    },
  },

  'may not give variables that are no object': {
    needs: ['startWithText'],
    does: async client => {
      await client.deploy('text.bpmn', process('text', start, end));
      for (const text of ['[1]', '"a"', '1', 'null and void', '{"a":', '{"a":1}}', '{a:1}', '\u0000']) {
        await refuses(client.startWithText('text', text), 'INVALID_ARGUMENT', /JSON|object/);
      }
    },
  },

  'cancels an instance once, and its jobs are gone': {
    does: async client => {
      await client.deploy('cancelled.bpmn', process('cancelled', start, job('cancelled-job'), end));
      const key = await client.start('cancelled', {});
      const [found] = await client.activate('cancelled-job', { wait: 5_000 });
      await client.cancel(key);
      await refuses(client.complete(found.key), 'NOT_FOUND');
      await refuses(client.cancel(key), 'NOT_FOUND');
    },
  },

  'sets variables of an instance and of one task': {
    does: async client => {
      await client.deploy('set.bpmn', process('set', start, job('set-job'), job('set-next'), end));
      const key = await client.start('set', { a: 1, b: 1 });
      const [first] = await client.activate('set-job', { wait: 5_000, lease: 200 });
      await client.setVariables(key, { a: 2 }, false);
      await client.setVariables(first.elementInstanceKey, { b: 2 }, true);
      const again = await until(async () => (await client.activate('set-job', { wait: 500 }))[0]);
      assert.deepEqual(again.variables, { a: 2, b: 2 });
      await client.complete(again.key);
      const [next] = await client.activate('set-next', { wait: 5_000 });
      assert.deepEqual(next.variables, { a: 2, b: 1 });
    },
  },

  'sees a timer fire, and the job that it interrupts is gone': {
    does: async client => {
      await client.deploy('timed.bpmn', process('timed', start,
        unlessAfter(job('timed-job'), 'PT2S', script('true', 'late')), end));
      const result = client.startAndWait('timed', {}, { ms: 30_000 });
      const [found] = await client.activate('timed-job', { wait: 5_000 });
      assert.deepEqual(await result, { late: true });
      await refuses(client.complete(found.key), 'NOT_FOUND');
      await client.deploy('slept.bpmn', process('slept', start, timer('PT0.2S'), end));
      assert.deepEqual(await client.startAndWait('slept', { a: 1 }), { a: 1 });
    },
  },

  'starts many at once, and each is one': {
    does: async (client, server) => {
      const most = client.isProgram ? 40 : 300;
      await client.deploy('many.bpmn', process('many', start, job('many-job'), end));
      const keys = await Promise.all(Array.from({ length: most }, (_, i) => client.start('many', { i })));
      assert.equal(new Set(keys).size, most);
      const seen = new Set();
      while (seen.size < most) {
        const found = await client.activate('many-job', { most: 100, wait: 2_000 });
        assert.notEqual(found.length, 0, server.log);
        for (const one of found) seen.add(one.variables.i);
      }
    },
  },
};
