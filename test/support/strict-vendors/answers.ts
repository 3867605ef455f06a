import type { ServerResponse } from 'node:http';
import { answerJson, type UpstreamCall } from '../upstream.ts';
import { findRefusal } from './index.ts';
import type { Json } from './rule.ts';
import { letsThink, nextOf, type Said } from './script.ts';
import { writeCohere, writeConverse, writeConverseStream, writeOllama } from './write-own.ts';
import {
  writeChat,
  writeGoogle,
  writeInteraction,
  writeInvoked,
  writeMessages,
  writeResponses,
} from './write-wires.ts';
import type { Writer } from './written.ts';

const writers: readonly (readonly [path: RegExp, write: Writer])[] = [
  [/\/chat\/completions$/, writeChat],
  [/\/responses$/, writeResponses],
  [/\/messages$|\/invoke$/, writeMessages],
  [/\/invoke-with-response-stream$/, writeInvoked],
  [/:(?:generateContent|streamGenerateContent)$/, writeGoogle],
  [/\/interactions$/, writeInteraction],
  [/\/converse$/, writeConverse],
  [/\/converse-stream$/, writeConverseStream],
  [/\/v2\/chat$/, writeCohere],
  [/\/api\/chat$/, writeOllama],
];

/** The rules of a vendor are those of its own wire. Some vendors have another as well. */
const ruleSetOf = (vendor: string, path: string): string => {
  if (/\/(?:invoke|invoke-with-response-stream|messages)$/.test(path)) return 'anthropic';
  return /\/(?<wire>responses|interactions)$/.exec(path)?.groups?.['wire'] ?? vendor;
};

/** What the model of a vendor responds with to a request at a path. */
export type Say = (vendor: string, body: Json, path: string) => Said;

/**
 * Answers as the vendor that the first segment of the path names: with a 400 for what it refuses, plain or streamed.
 * @returns the text of the answer
 */
export function answerStrictly(
  response: ServerResponse,
  { path: whole, body }: UpstreamCall,
  say: Say = nextOf,
): string {
  const path = whole.split('?', 1)[0] ?? '';
  const [, vendor = '', ...rest] = decodeURIComponent(path).split('/');
  const inPath = /(?:models?)\/([^:/]+)/.exec(rest.join('/'))?.[1];
  const model = typeof body['model'] === 'string' ? body['model'] : (inPath ?? '');
  const write = writers.find(([pattern]) => pattern.test(path))?.[1];
  const refusal = write === undefined ? `no path ${whole}` : findRefusal(ruleSetOf(vendor, path), { model, body });
  if (write === undefined || refusal !== undefined) {
    answerJson(response, { error: { message: refusal, type: 'bad_request' } }, write === undefined ? 404 : 400);
    return '';
  }
  const isStreamed = body['stream'] === true || /[sS]tream/.test(path);
  const {
    type,
    body: sent,
    text,
  } = write(say(vendor, body, path), {
    vendor,
    isStreamed,
    thinks: letsThink(vendor, body),
  });
  response.writeHead(200, { 'content-type': type }).end(sent);
  return text;
}
