import type { ServerResponse } from 'node:http';
import { wireAt, isStreamed } from '../support/calls.ts';
import type { TestUpstream } from '../support/upstream.ts';
import { goodDay } from '../matrix/sample-bodies.ts';
import { framesOf, textOf, type VendorAnswers } from '../matrix/vendors/vendors.ts';
import type { Json, Wire } from '../matrix/wires.ts';

export type Answer = TestUpstream['answer'];
type Body = Record<string, unknown>;

export interface Script {
  /** The usage object at the end, in the vendor's format. Absent: none. */
  readonly usage?: unknown;
  /** The usage object at the start of a stream, on wires that report there. */
  readonly begun?: unknown;
  /** Other members of the response, or of every chunk. */
  readonly top?: Json;
  /** The text; default: `Good day.`, in two halves if streamed. */
  readonly said?: VendorAnswers;
  /** The stream ends after this many frames. */
  readonly frames?: number;
  /** This many frames are sent at once, the others later. */
  readonly atOnce?: number;
  /** The connection stays open after the last frame. */
  readonly hangs?: boolean;
}

const place = (body: Body, member: string, value: unknown): void => {
  if (value === undefined) delete body[member];
  else body[member] = value;
};

/**
 * Replaces the usage in a body of the matrix by that of the script. Returns whether anything is left of the body.
 */
const rewrite: Readonly<Record<Wire, (body: Body, script: Script) => boolean>> = {
  chat: (body, { usage }) => {
    const ends = typeof body['usage'] === 'object' && body['usage'] !== null;
    if (ends) place(body, 'usage', usage);
    return !(ends && usage === undefined && Array.isArray(body['choices']) && body['choices'].length === 0);
  },
  messages: (body, { usage, begun }) => {
    if (body['type'] === 'message_start') place(body['message'] as Body, 'usage', begun);
    else if ('usage' in body) place(body, 'usage', usage);
    return true;
  },
  responses: (body, { usage, top }) => {
    const response = (body['response'] ?? body) as Body;
    if (response['usage'] !== null) place(response, 'usage', usage);
    if (body !== response) Object.assign(response, top);
    return true;
  },
  google: (body, { usage, begun }) => {
    const parts = JSON.stringify(body);
    place(
      body,
      'usageMetadata',
      parts.includes('"finishReason"') || parts.includes('"promptFeedback"') ? usage : begun,
    );
    return true;
  },
};

const rewriteText = (wire: Wire, text: string, script: Script): string => {
  const body = JSON.parse(text) as Body;
  if (wire !== 'messages' || !('event' in body)) Object.assign(body, script.top);
  return rewrite[wire](body, script) ? JSON.stringify(body) : '';
};

const rewriteFrame = (wire: Wire, frame: string, script: Script): string => {
  const [head = '', data = ''] = frame.split(/(?<=^|\n)data: (?=\{)/);
  if (data === '') return frame;
  const text = rewriteText(wire, data.trimEnd(), script);
  return text === '' ? '' : `${head}data: ${text}${wire === 'google' ? '\r\n\r\n' : '\n\n'}`;
};

const write = (response: ServerResponse, type: string, text: string, hangs: boolean): void => {
  response.writeHead(200, { 'content-type': type });
  response.flushHeaders();
  if (hangs) response.write(text);
  else response.end(text);
};

/** Responds by the script, in the wire that is called. */
export const answer =
  (script: Script): Answer =>
  (response, call) => {
    const wire = wireAt(call.path);
    const said = script.said ?? goodDay;
    if (!isStreamed(call)) {
      write(response, 'application/json', rewriteText(wire, textOf(wire, 'plain', said), script), false);
      return;
    }
    const frames = framesOf(wire, said).map((frame) => rewriteFrame(wire, frame, script));
    const { atOnce } = script;
    write(
      response,
      'text/event-stream',
      frames.slice(0, atOnce ?? script.frames).join(''),
      script.hangs === true || atOnce !== undefined,
    );
    if (atOnce !== undefined) setTimeout(() => response.end(frames.slice(atOnce, script.frames).join('')), 150);
  };

/** Responds with a status and a body. */
export const refuse =
  (status: number, body: unknown = { error: { message: 'Overloaded.', type: 'overloaded_error' } }): Answer =>
  (response) => {
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  };

/** Accepts the call and never responds. */
export const silence: Answer = () => {};
