// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { contract } from './contract.mjs';
import { end, job, process, start } from './models.mjs';
import { open } from './sdk_grpc.mjs';
import { pause, until } from './server.mjs';

contract('@camunda8/sdk over gRPC', open, {
  'streams jobs to a worker, also those that waited before': {
    does: async ({ client, deploy, start: begin, startAndWait }) => {
      await deploy('streamed.bpmn', process('streamed', start, job('streamed-job'), end));
      await begin('streamed', { n: 0 });
      const seen = [];
      const stream = await client.streamJobs({
        type: 'streamed-job', worker: 'stream', timeout: 30_000,
        taskHandler: one => {
          seen.push(one.variables.n);
          return one.complete({ m: one.variables.n * 2 });
        },
      });
      await pause(300);
      const results = await Promise.all([1, 2, 3, 4, 5].map(n => startAndWait('streamed', { n })));
      assert.deepEqual(results.map(one => one.m), [2, 4, 6, 8, 10]);
      assert.ok(await until(() => seen.includes(0)), 'the job that waited before');
      assert.equal(seen.length, 6, 'each came once');
      stream.close();
    },
  },
});
