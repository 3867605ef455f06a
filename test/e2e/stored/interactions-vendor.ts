import type { ServerResponse } from 'node:http';
import { framesOf, usageOf } from '../../matrix/interactions/convert.ts';
import { someTokens, type Json } from '../../matrix/wires.ts';
import { goodDay } from '../../matrix/sample-bodies.ts';
import { answerJson, answerSse, type TestUpstream } from '../../support/upstream.ts';

/** A vendor that keeps interactions, and continues those of the background until a test ends them. */
export interface InteractionsVendor {
  /** What it keeps. A test ends an interaction by its status. */
  readonly status: Map<string, string>;
  readonly answer: TestUpstream['answer'];
}

const ended: Json = {
  steps: [{ type: 'model_output', content: [{ type: 'text', text: 'Good day.' }] }],
  usage: usageOf({ ...someTokens, output: 40, reasoning: 30 }),
};

/** What all of them have made: ids never repeat. */
let made = 0;

export const createInteractionsVendor = (): InteractionsVendor => {
  const status = new Map<string, string>();
  const bodyOf = (id: string): Json => ({
    id,
    object: 'interaction',
    model: 'gemini-3.5-flash',
    status: status.get(id),
    ...(status.get(id) === 'completed' ? ended : { steps: [] }),
  });
  /** A stream of one that has not ended is a plain response here. */
  const write = (response: ServerResponse, id: string, isStreamed: boolean): void => {
    if (!isStreamed || status.get(id) !== 'completed') return answerJson(response, bodyOf(id));
    const frames = framesOf(goodDay.google, someTokens).join('');
    return answerSse(response, frames.replaceAll('v1_vendor', id));
  };
  const answer: TestUpstream['answer'] = (response, { path, method, body }) => {
    const isStreamed = body['stream'] === true || /[?&]stream=true/.test(path);
    const [, found = '', rest = ''] = /^\/v1beta\/interactions\/([^/?]+)\/?([^?]*)/.exec(path) ?? [];
    if (found === '') {
      made += 1;
      status.set(`v1_${made}`, body['background'] === true ? 'in_progress' : 'completed');
      return write(response, `v1_${made}`, isStreamed);
    }
    if (!status.has(found)) return answerJson(response, { error: { code: 'not_found', message: 'Not found.' } }, 404);
    if (rest === 'cancel') status.set(found, 'cancelled');
    if (method === 'DELETE') {
      status.delete(found);
      return answerJson(response, {});
    }
    return write(response, found, isStreamed);
  };
  return { status, answer };
};
