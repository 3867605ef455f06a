import type { ServerResponse } from 'node:http';
import { startUpstream, type UpstreamCall } from '../../support/upstream.ts';
import { refusals } from '../../round-trips/strict-vendor.ts';
import type { Json, Wire } from '../../matrix/wires.ts';
import { writeAnswer, type Answer } from './answers.ts';
import { readPosition } from './conversation.ts';
import { answerAt, type Tools } from './script.ts';
import { answerSchema } from './structured.ts';
import { findFault } from './strict/index.ts';

/** A request that the vendor received. */
export interface Received {
  readonly wire: Wire;
  readonly turn: string | undefined;
  readonly body: Json;
  readonly answer: Answer;
}

/** All four vendors in one server: each speaks its own wire, and refuses what its wire does not have. */
export interface ScriptedVendor {
  readonly url: string;
  readonly received: Received[];
  /** What was refused, and why. */
  readonly faults: string[];
  /** How many responses were cut by the gateway. */
  cuts(): number;
  stop(): Promise<void>;
}

const paths: readonly (readonly [RegExp, Wire])[] = [
  [/^\/v1\/chat\/completions$/, 'chat'],
  [/^\/v1\/messages(?:\?beta=true)?$/, 'messages'],
  [/^\/v1\/responses$/, 'responses'],
  [/^\/v1beta\/models\/[^:]+:(?:generateContent|streamGenerateContent\?alt=sse)$/, 'google'],
];
/** The counts of the vendors that have them. */
const counts: readonly (readonly [RegExp, Json])[] = [
  [/^\/v1\/messages\/count_tokens$/, { input_tokens: 900 }],
  [/^\/v1\/responses\/input_tokens$/, { object: 'response.input_tokens', input_tokens: 900 }],
  [/^\/v1beta\/models\/[^:]+:countTokens$/, { totalTokens: 900 }],
];

const isStreamed = (wire: Wire, { path, body }: UpstreamCall): boolean =>
  wire === 'google' ? path.includes('stream') : body['stream'] === true;
/** Google has the model in the path. */
const modelOf = ({ path, body }: UpstreamCall): string => String(body['model'] ?? /models\/([^:]+):/.exec(path)?.[1]);
const send = (response: ServerResponse, status: number, body: string): void =>
  void response.writeHead(status, { 'content-type': 'application/json' }).end(body);

export const startScriptedVendor = async (tools: Tools, folder: string): Promise<ScriptedVendor> => {
  const upstream = await startUpstream();
  const received: Received[] = [];
  const faults: string[] = [];
  const refuse = (response: ServerResponse, wire: Wire, status: number, fault: string): void => {
    faults.push(`${wire}: ${fault}`);
    send(response, status, JSON.stringify(refusals[wire](fault)));
  };
  upstream.answer = (response, call) => {
    const count = counts.find(([path]) => path.test(call.path))?.[1];
    if (count !== undefined) return send(response, 200, JSON.stringify(count));
    const wire = paths.find(([path]) => path.test(call.path))?.[1];
    if (wire === undefined) return refuse(response, 'chat', 404, `no such path: ${call.path}`);
    const position = readPosition(wire, call.body);
    const fault = findFault(wire, modelOf(call), call.body);
    if (fault !== undefined) return refuse(response, wire, 400, fault);
    const streamed = isStreamed(wire, call);
    const json = answerSchema(wire, call.body);
    const answer = json === undefined ? answerAt(position, tools, folder) : { text: json };
    received.push({ wire, turn: position.turn, body: call.body, answer });
    const frames = writeAnswer(wire, call.body, streamed, answer);
    if (!streamed) return send(response, 200, frames.join(''));
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    if (answer.isEndless !== true) return void response.end(frames.join(''));
    const text = frames.findIndex((frame) => frame.includes('This g'));
    response.write(frames.slice(0, text + 1).join(''));
    return undefined;
  };
  return { url: upstream.url, received, faults, cuts: () => upstream.cut.count, stop: () => upstream.stop() };
};
