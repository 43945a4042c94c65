// SPDX-License-Identifier: Apache-2.0
// One name for a refusal, however a client shows it.

const grpc = ['OK', 'CANCELLED', 'UNKNOWN', 'INVALID_ARGUMENT', 'DEADLINE_EXCEEDED', 'NOT_FOUND', 'ALREADY_EXISTS',
  'PERMISSION_DENIED', 'RESOURCE_EXHAUSTED', 'FAILED_PRECONDITION', 'ABORTED', 'OUT_OF_RANGE', 'UNIMPLEMENTED',
  'INTERNAL', 'UNAVAILABLE', 'DATA_LOSS', 'UNAUTHENTICATED'];
const http = { 400: 'INVALID_ARGUMENT', 401: 'UNAUTHENTICATED', 404: 'NOT_FOUND', 501: 'UNIMPLEMENTED',
  503: 'RESOURCE_EXHAUSTED', 504: 'DEADLINE_EXCEEDED' };

export const codeOfGrpc = error => [grpc[error.code] ?? `code ${error.code}`, error.details ?? error.message];

export const codeOfStatus = (status, title, text) =>
  [status === 409 ? (title === 'ALREADY_EXISTS' ? title : 'FAILED_PRECONDITION') : http[status] ?? `${status}`, text];

// A refusal of a client: `name` of the code, and the server's sentence.
export class Refused extends Error {
  constructor([name, text], cause) {
    super(`${name}: ${text}`, { cause });
    this.refusal = name;
    this.text = `${text}`;
  }
}

// The same calls, whose errors are Refused.
export function named(codeOf, calls) {
  for (const [name, call] of Object.entries(calls)) {
    if (typeof call !== 'function' || name === 'work') continue;
    calls[name] = async (...words) => {
      try {
        return await call(...words);
      } catch (error) {
        throw new Refused(codeOf(error), error);
      }
    };
  }
  return calls;
}
