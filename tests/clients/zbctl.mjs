// SPDX-License-Identifier: Apache-2.0
// zbctl (Go) as the scenarios want a client: each call is a run of the program.
import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { named } from './codes.mjs';
import { folder, here } from './server.mjs';

export const program = join(here, 'node_modules', 'zbctl', 'bin', `zbctl-cli.${
  { linux: 'linux', darwin: 'darwin' }[process.platform]}`);

export function run(words, environment = {}) {
  return new Promise((done, failed) => {
    const child = spawn(program, words, { env: { ...process.env, ...environment } });
    let out = '';
    let err = '';
    child.stdout.on('data', text => { out += text; });
    child.stderr.on('data', text => { err += text; });
    child.on('error', failed);
    child.on('close', code => {
      if (code === 0) return done(out);
      failed(Object.assign(new Error(err), { out }));
    });
  });
}

// "rpc error: code = NotFound desc = …" → NOT_FOUND.
export function codeOf(error) {
  const found = /code = (\w+) desc = ([^]*)/.exec(error.message);
  if (!found) return ['UNKNOWN', error.message];
  return [found[1].replace(/(?<=[a-z])(?=[A-Z])/g, '_').toUpperCase(), found[2].trim()];
}

const rightly = one => ({ ...one, variables: JSON.parse(one.variables), customHeaders: JSON.parse(one.customHeaders) });

export function open(server, where = ['--insecure', '--address', server.grpc]) {
  const files = folder();
  const ask = async (...words) => {
    const out = await run([...words, ...where]);
    return out.trim().startsWith('{') ? JSON.parse(out) : out;
  };
  const json = value => ['--variables', JSON.stringify(value)];
  return named(codeOf, {
    ask,
    isProgram: true,
    topology: () => ask('status', '-o', 'json'),
    deploy: async (name, xml) => {
      writeFileSync(join(files, name), xml);
      const { deployments: [{ process: made }] } = await ask('deploy', 'resource', join(files, name));
      return { key: made.processDefinitionKey, id: made.bpmnProcessId, version: made.version };
    },
    start: async (id, variables) => (await ask('create', 'instance', id, ...json(variables))).processInstanceKey,
    startAndWait: async (id, variables, { fetch = [' '], ms = 10_000 } = {}) => {
      const done = await ask('create', 'instance', id, ...json(variables), `--withResult=${fetch}`,
        '--requestTimeout', `${ms}ms`);
      return JSON.parse(done.variables);
    },
    // It asks the server to wait nine tenths of its time; if that is short, it may give up before the server.
    activate: async (type, { most = 10, lease = 60_000, wait = 100, fetch } = {}) => {
      const asked = ask('activate', 'jobs', type, '--maxJobsToActivate', `${most}`, '--timeout', `${lease}ms`,
        '--requestTimeout', `${Math.round(wait / 0.9)}ms`, ...(fetch ? ['--variables', `${fetch}`] : []));
      const found = await asked.catch(error => {
        if (wait < 1_000 && codeOf(error)[0] === 'DEADLINE_EXCEEDED') return { jobs: [] };
        throw error;
      });
      return found.jobs.map(rightly);
    },
    complete: (key, variables = {}) => ask('complete', 'job', key, ...json(variables)),
    fail: (key, retries, text, pause = 0) => ask('fail', 'job', key, '--retries', `${retries}`,
      '--errorMessage', text, '--retryBackoff', `${pause}ms`),
    throwError: (key, code, variables = {}) => ask('throwError', 'job', key, '--errorCode', code,
      '--errorMessage', 'thrown by the test', ...json(variables)),
    publish: (name, correlation, { id, ttl = 0, variables = {} } = {}) => ask('publish', 'message', name,
      '--correlationKey', correlation, '--ttl', `${ttl}ms`, ...(id ? ['--messageId', id] : []), ...json(variables)),
    broadcast: (name, variables = {}) => ask('broadcast', 'signal', name, ...json(variables)),
    cancel: key => ask('cancel', 'instance', key),
    setVariables: (key, variables, local) => ask('set', 'variables', key, ...json(variables),
      ...(local ? ['--local'] : [])),
    updateRetries: (key, retries) => ask('update', 'retries', key, '--retries', `${retries}`),
    updateTimeout: (key, ms) => ask('update', 'timeout', key, '--timeout', `${ms}`),
    resolve: key => ask('resolve', 'incident', key),
    close: () => {},
  });
}
