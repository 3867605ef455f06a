import { GatewayError } from '../../api/index.ts';
import { isObject, type AnyCodec, type ErrorReply } from '../../api/codec.ts';
import { collectLaws, expectNone, type Check } from '../check.ts';
import { describePlain } from '../expectation.ts';
import { expectRecorded } from './expectation-laws.ts';
import type { Recording } from '../recording.ts';

const oddBodies: readonly unknown[] = [
  undefined,
  null,
  '',
  'Bad Gateway',
  '<html><body>502</body></html>',
  0,
  true,
  [],
  [null],
  {},
  { error: null },
  { error: 'no' },
  { error: { message: null } },
  { detail: 'no' },
  { detail: [{ msg: 'no' }] },
  { message: 'no' },
];
const statuses = [400, 401, 402, 403, 404, 408, 409, 413, 422, 429, 500, 502, 503, 504, 529];

/** The party at fault by status. An exhausted quota is a 429 on some wires and a 402 on others. */
const faultOf = (status: number): 'client' | 'limit' | 'server' =>
  status === 429 || status === 402 ? 'limit' : status >= 500 ? 'server' : 'client';

const again = ['transient', 'overloaded', 'timeout', 'rate-limit', 'quota', 'unknown'];
const account = ['credential', 'model-access', 'region', 'quota'];
const request = ['caller-fault', 'unsuitable', 'model-gone'];

/** The failure classes that a status allows: what failover does next depends on them. */
function classesOf(status: number): readonly string[] {
  if (status === 401) return account;
  if (status === 404 || status === 410) return [...request, 'model-access', 'region'];
  if (status === 408 || status === 409 || status >= 500) return status === 409 ? [...again, ...request] : again;
  if (status === 429) return ['rate-limit', 'quota', 'overloaded'];
  return [...account, ...request];
}

/** @param classes the failure classes that are right; absent: all are */
const describeProblems = (codec: AnyCodec, reply: ErrorReply, classes?: readonly string[]): string[] => {
  const error = codec.upstream?.decodeError(reply);
  if (error === undefined) return [];
  if (!GatewayError.is(error)) return ['decodeError gives no GatewayError'];
  const problems = classes?.includes(error.failure) === false ? [`its class is ${error.failure}`] : [];
  const encoded = codec.client?.encodeError(error, { requestId: 'request-1' });
  if (encoded === undefined) return problems;
  const text: unknown = JSON.stringify(encoded.body);
  if (typeof text !== 'string' || !isObject(encoded.body)) problems.push('the body is no JSON object');
  if (encoded.status < 400 || encoded.status > 599) problems.push(`the status is ${encoded.status}`);
  if (faultOf(encoded.status) !== faultOf(error.status))
    problems.push(`the error has status ${error.status}, the client gets ${encoded.status}`);
  if (error.failure === 'caller-fault' && encoded.status !== error.status)
    problems.push(`a caller's fault of status ${error.status} became ${encoded.status}`);
  const silent = Object.entries(encoded.headers).filter(
    ([name, value]) => name !== name.toLowerCase() || typeof value !== 'string',
  );
  return [...problems, ...silent.map(([name]) => `the header ${name} is not lower-case text`)];
};

/** `encodeError(decodeError(…))` never throws and preserves the party at fault, whatever the vendor sent. */
const readsOddBodies = (codec: AnyCodec): void => {
  const replies = statuses.flatMap((status) => oddBodies.map((body) => ({ status, headers: {}, body })));
  const problems = replies.flatMap((reply) => {
    const name = `${reply.status} ${(JSON.stringify(reply.body) ?? '').slice(0, 60)}`;
    try {
      return describeProblems(codec, reply, classesOf(reply.status)).map((problem) => `${name}: ${problem}`);
    } catch (thrown) {
      return [`${name}: throws ${String(thrown)}`];
    }
  });
  expectNone(problems.slice(0, 20), 'errors');
};

export function errorLaws(codec: AnyCodec, recordings: readonly Recording[]): Check[] {
  const { checks, law } = collectLaws(codec.wire);
  law('reads errors with unexpected bodies', () => readsOddBodies(codec));
  for (const recording of recordings) {
    const { name, response } = recording;
    if (response === undefined || response.status < 400) continue;
    const { status, headers = {}, body = response.text } = response;
    law(`reads the error of ${name} as expected`, () => {
      expectNone(describeProblems(codec, { status, headers, body }), 'the error');
      if (codec.upstream !== undefined) expectRecorded(recording, describePlain(codec, response));
    });
  }
  return checks;
}
