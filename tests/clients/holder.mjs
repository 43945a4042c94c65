// SPDX-License-Identifier: Apache-2.0
// Takes jobs and does nothing with them: holder.mjs ADDRESS poll|stream TYPE LEASE. Prints "ready", then their keys.
import { ZBClient } from 'zeebe-node';
import { quiet } from './zeebe_node.mjs';

const [address, how, type, lease] = process.argv.slice(2);
const { grpc } = new ZBClient(address, quiet);
const request = { type, worker: 'holder', timeout: Number(lease) };
const say = keys => process.stdout.write(`${keys.join('\n')}\n`);

await grpc.topologySync();
const stream = how === 'stream'
  ? await grpc.streamActivatedJobsStream(request)
  : await grpc.activateJobsStream({ ...request, maxJobsToActivate: 10, requestTimeout: 60_000 });
stream.on('data', came => say(how === 'stream' ? [came.key] : came.jobs.map(one => one.key))).on('error', () => {});
setTimeout(() => say(['ready']), 300);
