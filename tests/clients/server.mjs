// SPDX-License-Identifier: Apache-2.0
// The program under test as clients see it. PAWL names it; each server has a folder and ports of its own.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

export const here = dirname(fileURLToPath(import.meta.url));
export const root = resolve(here, '..', '..');
export const program = resolve(process.env.PAWL ?? join(root, 'build', 'release', 'pawl'));
export const sanitized = process.env.PAWL_ASAN === 'ON';

const ready = /^pawl is ready: gRPC on (\S+), HTTP on (\S+?),.* data in/m;

// What a failed test leaves behind does not outlive it.
const folders = [];
const children = [];
process.on('exit', () => {
  children.forEach(child => child.kill('SIGKILL'));
  folders.forEach(path => rmSync(path, { recursive: true, force: true }));
});

// An empty one, removed at the end.
export function folder() {
  folders.push(mkdtempSync(join(tmpdir(), 'pawl-clients-')));
  return folders.at(-1);
}

// Resolves when the server says that it is ready; rejects with what it said if it ends before.
export function serve({ data = folder(), grpc = '127.0.0.1:0', http = '127.0.0.1:0', options = [] } = {}) {
  const words = ['serve', '--data', data, '--grpc', grpc, '--http', http, ...options];
  const began = performance.now();
  const child = spawn(program, words, { stdio: ['ignore', 'pipe', 'pipe'] });
  children.push(child);
  const server = { child, data, options, out: '', log: '' };
  const ended = new Promise(done => child.on('close', (code, signal) => done({ code, signal })));
  child.stderr.on('data', text => { server.log += text; });
  // Ends it as an operator does. A report of a sanitizer, or anything but exit code 0, is a failure.
  server.stop = async () => {
    child.kill('SIGTERM');
    const { code, signal } = await ended;
    assert.deepEqual({ code, signal }, { code: 0, signal: null }, server.log.slice(-5000));
    assert.doesNotMatch(server.log, /Sanitizer|runtime error|terminate called/);
  };
  server.kill = async () => {
    child.kill('SIGKILL');
    await ended;
  };
  return new Promise((done, failed) => {
    child.stdout.on('data', text => {
      server.out += text;
      const found = ready.exec(server.out);
      if (!found || server.grpc) return;
      [, server.grpc, server.http] = found;
      server.readyAfter = performance.now() - began;
      done(server);
    });
    ended.then(({ code }) => failed(Object.assign(new Error(server.log), { code })));
  });
}

export const pause = ms => new Promise(done => setTimeout(done, ms));

// Asks again until the answer is true; the last answer is returned.
export async function until(question, ms = 30_000) {
  const end = performance.now() + ms;
  for (;;) {
    const answer = await question();
    if (answer || performance.now() > end) return answer;
    await pause(20);
  }
}
