// SPDX-License-Identifier: Apache-2.0
// @camunda8/sdk over gRPC, which compresses each request with gzip, as the scenarios want a client.
import { Camunda8 } from '@camunda8/sdk';
import { codeOfGrpc, named } from './codes.mjs';

export function connect(server, also = {}) {
  return new Camunda8({
    ZEEBE_GRPC_ADDRESS: `grpc://${server.grpc}`,
    ZEEBE_REST_ADDRESS: `http://${server.http}`,
    CAMUNDA_AUTH_STRATEGY: 'NONE',
    CAMUNDA_LOG_LEVEL: 'none',
    ZEEBE_CLIENT_LOG_LEVEL: 'NONE',
    ZEEBE_GRPC_CLIENT_RETRY: false,  // it would start an instance again and again that has no result in time
    zeebeGrpcSettings: { ZEEBE_CLIENT_LOG_LEVEL: 'NONE', ZEEBE_GRPC_CLIENT_RETRY: false,
      ZEEBE_GRPC_WORKER_LONGPOLL_SECONDS: 2 },
    ...also,
  });
}

export function open(server, also = {}) {
  const client = connect(server, also).getZeebeGrpcApiClient();
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
    startAndWait: async (id, variables, { fetch, ms = 10_000 } = {}) =>
      (await client.createProcessInstanceWithResult(
        { bpmnProcessId: id, variables, fetchVariables: fetch, requestTimeout: ms })).variables,
    activate: async (type, { most = 10, lease = 60_000, wait = -1, fetch } = {}) => {
      const jobs = await client.activateJobs({ type, worker: 'test', timeout: lease, maxJobsToActivate: most,
        requestTimeout: wait, fetchVariable: fetch });
      return jobs.map(one => ({ ...one, variables: { ...one.variables } }));
    },
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
    updateTimeout: (jobKey, timeout) => client.updateJobTimeout({ jobKey, timeout }),
    resolve: incidentKey => client.resolveIncident({ incidentKey }),
    work: (taskType, handler) => {
      client.createWorker({ taskType, taskHandler: job => job.complete(handler(job.variables)) });
    },
    close: () => client.close(1_000),
  });
}
