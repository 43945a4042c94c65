// SPDX-License-Identifier: Apache-2.0
// @camunda8/orchestration-cluster-api as the scenarios want a client. It compares each answer with its schema and
// fails on a wrong, missing or unknown field.
import api from '@camunda8/orchestration-cluster-api';
import { codeOfStatus, named } from './codes.mjs';

const codeOf = error => codeOfStatus(error.status, error.title, error.detail ?? error.message);
const now = { consistency: { waitUpToMs: 0 } };

export function open(server, also = {}) {
  const client = (api.createCamundaClient ?? api)({
    config: {
      CAMUNDA_REST_ADDRESS: `http://${server.http}`,
      CAMUNDA_AUTH_STRATEGY: 'NONE',
      CAMUNDA_SDK_VALIDATION: 'req:strict,res:fanatical',
      CAMUNDA_SDK_LOG_LEVEL: 'silent',
      ...also,
    },
  });
  const workers = [];
  return named(codeOf, {
    client,
    now,
    pollsAtOnce: true,
    topology: () => client.getTopology(),
    deploy: async (name, xml) => {
      const { processes: [made] } = await client.createDeployment({ resources: [new File([xml], name)] });
      return { key: made.processDefinitionKey, id: made.processDefinitionId, version: made.processDefinitionVersion };
    },
    start: async (processDefinitionId, variables) =>
      (await client.createProcessInstance({ processDefinitionId, variables })).processInstanceKey,
    startAndWait: async (processDefinitionId, variables, { fetch, ms = 10_000 } = {}) =>
      (await client.createProcessInstance({ processDefinitionId, variables, awaitCompletion: true,
        requestTimeout: ms, ...(fetch && { fetchVariables: fetch }) })).variables,
    activate: async (type, { most = 10, lease = 60_000, wait = -1, fetch } = {}) => {
      const { jobs } = await client.activateJobs({ type, worker: 'test', timeout: lease, maxJobsToActivate: most,
        requestTimeout: wait, ...(fetch && { fetchVariable: fetch }) });
      return jobs.map(one => ({ ...one, key: one.jobKey }));
    },
    complete: (jobKey, variables = {}) => client.completeJob({ jobKey, variables }),
    fail: (jobKey, retries, errorMessage, retryBackOff = 0) =>
      client.failJob({ jobKey, retries, errorMessage, retryBackOff }),
    throwError: (jobKey, errorCode, variables = {}) =>
      client.throwJobError({ jobKey, errorCode, errorMessage: 'thrown by the test', variables }),
    publish: (name, correlationKey, { id: messageId, ttl = 0, variables = {} } = {}) =>
      client.publishMessage({ name, correlationKey, timeToLive: ttl, variables, ...(messageId && { messageId }) }),
    broadcast: (signalName, variables = {}) => client.broadcastSignal({ signalName, variables }),
    cancel: processInstanceKey => client.cancelProcessInstance({ processInstanceKey }),
    setVariables: (elementInstanceKey, variables, local) =>
      client.createElementInstanceVariables({ elementInstanceKey, variables, local }),
    updateRetries: (jobKey, retries) => client.updateJob({ jobKey, changeset: { retries } }),
    updateTimeout: (jobKey, timeout) => client.updateJob({ jobKey, changeset: { timeout } }),
    resolve: incidentKey => client.resolveIncident({ incidentKey }),
    work: (jobType, handler) => {
      workers.push(client.createJobWorker({ jobType, maxParallelJobs: 32, jobTimeoutMs: 60_000, pollIntervalMs: 50,
        jobHandler: job => job.complete(handler(job.variables)) }));
    },
    close: () => workers.forEach(one => one.stop()),
  });
}
