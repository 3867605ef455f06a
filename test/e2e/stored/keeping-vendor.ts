import type { ServerResponse } from 'node:http';
import { responsesBody, responsesFrames } from '../../matrix/vendors/vendor-responses.ts';
import { someTokens, type Json } from '../../matrix/wires.ts';
import { goodDay } from '../../matrix/sample-bodies.ts';
import { answerJson, type TestUpstream, type UpstreamCall } from '../../support/upstream.ts';
import { secretOf } from './storing-vendor.ts';

/** A response that the vendor keeps. */
export interface Kept {
  readonly secret: string;
  readonly background: boolean;
  status: 'queued' | 'completed' | 'cancelled' | 'failed';
  readonly input: unknown;
  /** How often it was retrieved, also as a stream. */
  retrieved: number;
}

/** A vendor with responses that it keeps, and continues in the background until a test ends them. */
export interface KeepingVendor {
  readonly kept: ReadonlyMap<string, Kept>;
  readonly answer: TestUpstream['answer'];
  /** Ends a background response, and the streams that wait for it. */
  end(id: string, status?: Kept['status']): void;
  /** Has the response no more. */
  forget(id: string): void;
  /** Cuts the streams that wait for a response. */
  cut(id: string): void;
}

const notFound = (response: ServerResponse, id: string): void =>
  answerJson(
    response,
    {
      error: { message: `Response with id '${id}' not found.`, type: 'invalid_request_error', param: null, code: null },
    },
    404,
  );

/** What its tests count: ids never repeat. */
let made = 0;

export const createKeepingVendor = (): KeepingVendor => {
  const kept = new Map<string, Kept>();
  const waiting = new Map<string, Set<ServerResponse>>();

  const bodyOf = (id: string): Json => {
    const { status = 'failed', background = false } = kept.get(id) ?? {};
    const done = {
      ...(JSON.parse(responsesBody(goodDay.responses, someTokens)) as Json),
      id,
      store: true,
      background,
      status,
    };
    if (status === 'completed') return done;
    const error = status === 'failed' ? { code: 'server_error', message: 'The model has failed.' } : null;
    return { ...done, output: [], usage: null, error };
  };

  /** The events of a whole response; those of the start, until it has ended. */
  const framesOf = (id: string): readonly string[] => {
    const all = responsesFrames(goodDay.responses, someTokens).map((frame) =>
      frame.replaceAll('resp_vendor', id).replaceAll('"store":false', '"store":true'),
    );
    return kept.get(id)?.status === 'completed' ? all : all.slice(0, 2);
  };
  const numberOf = (frame: string): number => Number(/"sequence_number":(\d+)/.exec(frame)?.[1] ?? -1);

  const stream = (response: ServerResponse, id: string, after: number): void => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const frames = framesOf(id).filter((frame) => numberOf(frame) > after);
    response.write(frames.join(''));
    // Nothing else would end it.
    if (kept.get(id)?.status !== 'queued') return void response.end();
    waiting.set(id, (waiting.get(id) ?? new Set()).add(response));
  };

  const create = (response: ServerResponse, call: UpstreamCall): void => {
    made += 1;
    const id = `resp_kept_${made}`;
    const { background = false, stream: streamed = false, input } = call.body;
    const status = background === true ? 'queued' : 'completed';
    kept.set(id, { secret: secretOf(call), background: background === true, status, input, retrieved: 0 });
    if (streamed === true) stream(response, id, -1);
    else answerJson(response, bodyOf(id));
  };

  return {
    kept,
    answer: (response, call) => {
      const { pathname, searchParams } = new URL(call.path, 'http://vendor.test');
      const [, id = '', rest = ''] = /^\/v1\/responses\/([^/]+)\/?(.*)$/.exec(pathname) ?? [];
      if (id === '') return create(response, call);
      const found = kept.get(id);
      if (found?.secret !== secretOf(call)) return notFound(response, id);
      if (rest === 'input_items')
        return answerJson(response, {
          object: 'list',
          data: [{ id: 'msg_in', type: 'message', role: 'user', content: [{ type: 'input_text', text: found.input }] }],
          first_id: 'msg_in',
          last_id: 'msg_in',
          has_more: false,
        });
      if (rest === 'cancel') {
        found.status = 'cancelled';
        return answerJson(response, bodyOf(id));
      }
      if (call.method === 'DELETE') {
        kept.delete(id);
        return answerJson(response, { id, object: 'response', deleted: true });
      }
      found.retrieved += 1;
      if (searchParams.get('stream') !== 'true') return answerJson(response, bodyOf(id));
      return stream(response, id, Number(searchParams.get('starting_after') ?? -1));
    },
    end: (id, status = 'completed') => {
      const found = kept.get(id);
      if (found === undefined) return;
      found.status = status;
      for (const response of waiting.get(id) ?? []) response.end(framesOf(id).slice(2).join(''));
      waiting.delete(id);
    },
    forget: (id) => void kept.delete(id),
    cut: (id) => {
      for (const response of waiting.get(id) ?? []) response.destroy();
      waiting.delete(id);
    },
  };
};
