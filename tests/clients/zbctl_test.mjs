// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { contract } from './contract.mjs';
import { end, job, process, start } from './models.mjs';
import { folder } from './server.mjs';
import { open, program } from './zbctl.mjs';

// A worker of zbctl runs a program for each job: variables come in as JSON, and go out so.
function worker(server, type, ...options) {
  const handler = join(folder(), 'handler.sh');
  writeFileSync(handler, `printf '{"got": %s}' "$(cat)"\n`);
  return spawn(program, ['create', 'worker', type, '--handler', `sh ${handler}`, '--insecure',
    '--address', server.grpc, ...options], { stdio: 'ignore' });
}

async function works(client, server, id, ...options) {
  await client.deploy(`${id}.bpmn`, process(id, start, job(`${id}-job`), end));
  const child = worker(server, `${id}-job`, ...options);
  try {
    const results = await Promise.all([1, 2, 3, 4].map(n => client.startAndWait(id, { n })));
    assert.deepEqual(results, [1, 2, 3, 4].map(n => ({ n, got: { n } })));
  } finally {
    child.kill();
  }
}

contract('zbctl', open, {
  'has a worker in the shell': { does: (client, server) => works(client, server, 'polled') },
  'has a worker in the shell that streams': {
    does: (client, server) => works(client, server, 'pushed', '--streamEnabled'),
  },
  'keeps numbers of 64 bits exact': {
    does: async client => {
      await client.deploy('exact.bpmn', process('exact', start, end));
      const done = await client.ask('create', 'instance', 'exact', '--variables', '{"n": 9007199254740993}',
        '--withResult');
      assert.equal(done.variables, '{"n":9007199254740993}');
    },
  },
});
