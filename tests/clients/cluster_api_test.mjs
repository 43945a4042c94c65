// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { contract } from './contract.mjs';
import { end, job, process, start } from './models.mjs';
import { open } from './cluster_api.mjs';

contract('@camunda8/orchestration-cluster-api with strict schemas', open, {
  'finds what runs, what waits and what has happened': {
    does: async ({ client, now, deploy, start: begin, activate, complete }) => {
      const made = await deploy('found.bpmn', process('found', start, job('found-job'), end));
      const key = await begin('found', { colour: 'blue' });
      const [one] = await activate('found-job', { wait: 5_000 });
      const definitions = await client.searchProcessDefinitions({ filter: { processDefinitionId: 'found' } }, now);
      assert.deepEqual(definitions.items.map(item => item.processDefinitionKey), [made.key]);
      const find = async call => (await client[call]({ filter: { processInstanceKey: key } }, now)).items;
      assert.deepEqual((await find('searchProcessInstances')).map(item => item.state), ['ACTIVE']);
      assert.deepEqual((await find('searchVariables')).map(item => [item.name, item.value]),
        [['colour', '"blue"']]);
      assert.deepEqual((await find('searchJobs')).map(item => [item.jobKey, item.state]), [[one.key, 'CREATED']]);
      await complete(one.key);
      assert.deepEqual((await find('searchProcessInstances')).map(item => item.state), ['COMPLETED']);
      assert.equal((await client.getProcessInstance({ processInstanceKey: key }, now)).state, 'COMPLETED');
    },
  },
});
