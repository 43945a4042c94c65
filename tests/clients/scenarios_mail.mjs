// SPDX-License-Identifier: Apache-2.0
// Scenarios: messages and signals.
import assert from 'node:assert/strict';
import { refuses } from './contract.mjs';
import { end, job, message, process, signal, start } from './models.mjs';

export const scenarios = {
  'sends a message to the one that waits for its key': {
    does: async client => {
      await client.deploy('paid.bpmn', process('paid', start, message('paid', 'order'), job('paid-job'), end));
      const [one, two] = [await client.start('paid', { order: 'A' }), await client.start('paid', { order: 7 })];
      await client.publish('paid', '7', { variables: { sum: 3 } });
      const [found] = await client.activate('paid-job', { wait: 5_000 });
      assert.equal(found.processInstanceKey, two);
      assert.deepEqual(found.variables, { order: 7, sum: 3 });
      assert.deepEqual(await client.activate('paid-job', { wait: 200 }), []);
      await client.publish('paid', 'A');
      assert.equal((await client.activate('paid-job', { wait: 5_000 }))[0].processInstanceKey, one);
    },
  },

  'sends a message that waits for the one that wants it': {
    does: async client => {
      await client.deploy('early.bpmn', process('early', start, message('early', 'order'), end));
      await client.publish('early', 'kept', { ttl: 60_000, variables: { x: 1 } });
      assert.deepEqual(await client.startAndWait('early', { order: 'kept' }), { order: 'kept', x: 1 });
      await client.publish('early', 'lost', { ttl: 0 });
      await refuses(client.startAndWait('early', { order: 'lost' }, { ms: 500 }), 'DEADLINE_EXCEEDED');
    },
  },

  'may send a message with an id only once while it is kept': {
    does: async client => {
      await client.publish('once', 'k', { id: 'one', ttl: 60_000 });
      await refuses(client.publish('once', 'k', { id: 'one', ttl: 60_000 }), 'ALREADY_EXISTS', /one/);
      await client.publish('once', 'k', { id: 'two', ttl: 60_000 });
      await client.publish('once', 'other', { id: 'one', ttl: 60_000 });
    },
  },

  'sends a signal to all that wait': {
    does: async client => {
      await client.deploy('signalled.bpmn', process('signalled', start, signal('go'), job('signalled-job'), end));
      await client.broadcast('go');  // nobody waits: nobody gets it later
      for (let i = 0; i < 3; ++i) await client.start('signalled', { i });
      assert.deepEqual(await client.activate('signalled-job', { wait: 200 }), []);
      await client.broadcast('go', { by: 'test' });
      const seen = [];
      while (seen.length < 3) {
        const found = await client.activate('signalled-job', { wait: 5_000 });
        assert.notEqual(found.length, 0);
        seen.push(...found.map(one => one.variables));
      }
      assert.deepEqual(seen.map(one => one.i).sort(), [0, 1, 2]);
      assert.ok(seen.every(one => one.by === 'test'));
    },
  },
};
