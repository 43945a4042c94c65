// SPDX-License-Identifier: Apache-2.0
// @camunda8/sdk over REST as the scenarios want a client.
import { codeOfStatus, named } from './codes.mjs';
import { connect } from './sdk_grpc.mjs';

const codeOf = error => codeOfStatus(error.statusCode, error.title ?? error.response?.body?.title,
  error.detail ?? error.message);

export function open(server, also = {}) {
  const client = connect(server, also).getCamundaRestClient();
  const workers = [];
  return named(codeOf, {
    client,
    pollsAtOnce: true,
    topology: () => client.getTopology(),
    deploy: async (name, content) => {
      const { processes: [made] } = await client.deployResources([{ content, name }]);
      return { key: made.processDefinitionKey, id: made.processDefinitionId, version: made.processDefinitionVersion };
    },
    start: async (processDefinitionId, variables) =>
      (await client.createProcessInstance({ processDefinitionId, variables })).processInstanceKey,
    startAndWait: async (processDefinitionId, variables, { fetch, ms = 10_000 } = {}) =>
      ({ ...(await client.createProcessInstanceWithResult(
        { processDefinitionId, variables, fetchVariables: fetch, requestTimeout: ms })).variables }),
    activate: async (type, { most = 10, lease = 60_000, wait = -1, fetch } = {}) => {
      const jobs = await client.activateJobs({ type, worker: 'test', timeout: lease, maxJobsToActivate: most,
        requestTimeout: wait, fetchVariable: fetch });
      return jobs.map(one => ({ ...one, key: one.jobKey, variables: { ...one.variables } }));
    },
    complete: (jobKey, variables = {}) => client.completeJob({ jobKey, variables }),
    fail: (jobKey, retries, errorMessage, retryBackOff = 0) =>
      client.failJob({ jobKey, retries, errorMessage, retryBackOff }),
    throwError: (jobKey, errorCode, variables = {}) =>
      client.errorJob({ jobKey, errorCode, errorMessage: 'thrown by the test', variables }),
    publish: (name, correlationKey, { id: messageId, ttl = 0, variables = {} } = {}) =>
      client.publishMessage({ name, correlationKey, messageId, timeToLive: ttl, variables }),
    broadcast: (signalName, variables = {}) => client.broadcastSignal({ signalName, variables }),
    cancel: processInstanceKey => client.cancelProcessInstance({ processInstanceKey }),
    setVariables: (elementInstanceKey, variables, local) =>
      client.updateElementInstanceVariables({ elementInstanceKey, variables, local }),
    updateRetries: (jobKey, retries) => client.updateJob({ jobKey, retries }),
    updateTimeout: (jobKey, timeout) => client.updateJob({ jobKey, timeout }),
    resolve: incidentKey => client.resolveIncident(incidentKey),
    work: (type, handler) => {
      workers.push(client.createJobWorker({ type, worker: 'test', timeout: 60_000, maxJobsToActivate: 32,
        pollIntervalMs: 50, jobHandler: job => job.complete(handler(job.variables)) }));
    },
    close: () => workers.forEach(one => one.stop()),
  });
}
