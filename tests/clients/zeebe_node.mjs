// SPDX-License-Identifier: Apache-2.0
// zeebe-node as the scenarios of contract.mjs want a client.
import { ZBClient } from 'zeebe-node';
import { codeOfGrpc, named } from './codes.mjs';
import { pause } from './server.mjs';

export const quiet = { loglevel: 'NONE', longPoll: 2_000, pollInterval: 100 };

export function open(server, options = {}) {
  const client = new ZBClient(server.grpc, { ...quiet, ...options });
  return named(codeOfGrpc, {
    client,
    pollsAtOnce: true,
    topology: () => client.topology(),
    deploy: async (name, xml) => {
      const { deployments: [{ process: made }] } =
        await client.deployResource({ process: Buffer.from(xml), name });
      return { key: made.processDefinitionKey, id: made.bpmnProcessId, version: made.version };
    },
    start: async (id, variables) =>
      (await client.createProcessInstance({ bpmnProcessId: id, variables })).processInstanceKey,
    startWithText: (id, text) =>  // no call of the client itself: it makes the text
      client.grpc.createProcessInstanceSync({ bpmnProcessId: id, version: -1, variables: text }),
    startAndWait: async (id, variables, { fetch, ms = 10_000 } = {}) =>
      (await client.createProcessInstanceWithResult(
        { bpmnProcessId: id, variables, fetchVariables: fetch, requestTimeout: ms })).variables,
    // Its promise never settles when nothing came, also with other servers.
    activate: (type, { most = 10, lease = 60_000, wait = -1, fetch } = {}) => Promise.race([
      client.activateJobs({ type, worker: 'test', timeout: lease, maxJobsToActivate: most, requestTimeout: wait,
        fetchVariable: fetch }),
      pause(Math.max(wait, 0) + 300).then(() => [])]),
    complete: (jobKey, variables = {}) => client.completeJob({ jobKey, variables }),
    fail: (jobKey, retries, errorMessage, retryBackOff = 0) =>
      client.failJob({ jobKey, retries, errorMessage, retryBackOff }),
    throwError: (jobKey, errorCode, variables = {}) =>
      client.throwError({ jobKey, errorCode, errorMessage: 'thrown by the test', variables }),
    publish: (name, correlationKey, { id: messageId, ttl = 0, variables = {} } = {}) =>
      client.publishMessage({ name, correlationKey, messageId, timeToLive: ttl, variables }),
    broadcast: (signalName, variables = {}) => client.broadcastSignal({ signalName, variables }),
    cancel: key => client.cancelProcessInstance(key),
    setVariables: (elementInstanceKey, variables, local) =>
      client.setVariables({ elementInstanceKey, variables, local }),
    updateRetries: (jobKey, retries) => client.updateJobRetries({ jobKey, retries }),
    resolve: incidentKey => client.resolveIncident({ incidentKey }),
    work: (taskType, handler) => {
      client.createWorker({ taskType, taskHandler: job => job.complete(handler(job.variables)) });
    },
    close: () => client.close(1_000),
  });
}
