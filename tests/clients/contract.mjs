// SPDX-License-Identifier: Apache-2.0
// What every client must be able to do: the same scenarios, told once, run with each of them. A client is an
// object of calls (see zeebe_node.mjs); a scenario that needs a call which the client has not is skipped.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import * as instances from './scenarios_instances.mjs';
import * as jobs from './scenarios_jobs.mjs';
import * as mail from './scenarios_mail.mjs';
import { serve, until } from './server.mjs';

const scenarios = { ...instances.scenarios, ...jobs.scenarios, ...mail.scenarios };

// The only way to find the key of an incident: gRPC has no call for it.
async function incidentOf(server, instance) {
  const answer = await fetch(`http://${server.http}/v2/incidents/search`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ filter: { processInstanceKey: instance, state: 'ACTIVE' } }),
  });
  assert.equal(answer.status, 200, await answer.clone().text());
  return (await answer.json()).items[0];
}

function without(client, needs) {
  return needs.filter(name => !client[name]).join(', ');
}

export function contract(name, open, also = {}) {
  describe(name, () => {
    let server;
    let client;
    before(async () => {
      server = await serve();
      client = await open(server);
      client.incidentOf = instance => until(() => incidentOf(server, instance));
    });
    after(async () => {
      await client.close();
      await server.stop();
    });
    for (const [says, { needs = [], does }] of Object.entries({ ...scenarios, ...also })) {
      test(says, { timeout: 60_000 }, async t => {
        const missing = without(client, needs);
        if (missing) return t.skip(`the client has no ${missing}`);
        await does(client, server);
      });
    }
  });
}

// The call is refused with this code, in words that match.
export async function refuses(promise, code, words = /./) {
  await assert.rejects(promise, error => {
    assert.equal(error.refusal, code, error.message);
    assert.match(error.text, words);
    return true;
  });
}
