import { GatewayError, readDuration, type Draft, type Services } from '../../core/api/index.ts';
import { readList, readObject, readText } from '../../core/api/codec.ts';
import type { RequestTexts } from './request-text.ts';
import type { ServiceOptions } from './schema.ts';

/** The decision of a service. */
type Decision =
  | { readonly is: 'allow' }
  | { readonly is: 'refuse'; readonly reason?: string | undefined }
  | { readonly is: 'replace'; readonly texts: readonly string[] };

/** How requests and responses of a service look. */
interface Shape {
  write(texts: readonly string[], draft: Draft): object;
  /** @throws Error if the response is not of this shape */
  read(body: unknown, count: number): Decision;
}

const guardrail: Shape = {
  write: (texts, { id, model, caller: { organization, project, key } }) => ({
    texts,
    input_type: 'request',
    request_data: { request_id: id, model, organization, project, key },
  }),
  read: (body, count) => {
    const { action, blocked_reason: reason, texts } = readObject(body);
    if (action === 'NONE') return { is: 'allow' };
    if (action === 'BLOCKED') return { is: 'refuse', reason: readText(reason) };
    if (action !== 'GUARDRAIL_INTERVENED') throw new Error('its response has no known "action"');
    const changed = readList(texts).filter((text) => typeof text === 'string');
    if (changed.length !== count) throw new Error(`it returned ${changed.length} texts for ${count}`);
    return { is: 'replace', texts: changed };
  },
};

const createModeration = (model: string | undefined): Shape => ({
  write: (input) => (model === undefined ? { input } : { model, input }),
  read: (body) => {
    const results = readList(readObject(body)['results']).map((result) => readObject(result));
    const flags = results.map(({ flagged }) => flagged);
    if (flags.length === 0 || flags.some((flag) => typeof flag !== 'boolean'))
      throw new Error('its response has no "results" with "flagged"');
    if (!flags.includes(true)) return { is: 'allow' };
    const named = results.flatMap(({ categories }) =>
      Object.entries(readObject(categories)).flatMap(([name, flag]) => (flag === true ? [name] : [])),
    );
    return { is: 'refuse', reason: named.length === 0 ? undefined : [...new Set(named)].join(', ') };
  },
});

/**
 * Asks the service about the texts of requests, and changes those that it has changed.
 * @returns a function that throws a GatewayError if the service refuses the request
 */
export function createService(options: ServiceOptions, { fetch, log, metrics }: Services) {
  const { url, shape, model, headers, onFailure, message } = options;
  const { write, read } = shape === 'moderation' ? createModeration(model) : guardrail;
  const timeoutMs = readDuration(options.timeout);
  const calls = metrics.counter(
    'koine_content_filter_service_calls_total',
    'Calls of the service of the content filter, by its decision.',
    ['decision'],
  );
  const decide = async (texts: readonly string[], draft: Draft): Promise<Decision> => {
    const response = await fetch(url, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify(write(texts, draft)),
      timeoutMs,
    });
    if (response.status !== 200) throw new Error(`it answered with status ${response.status}`);
    return read(JSON.parse(Buffer.from(response.body).toString()), texts.length);
  };
  return async (draft: Draft, texts: RequestTexts): Promise<void> => {
    const { strings } = texts;
    if (strings.length === 0) return;
    let decision: Decision;
    try {
      decision = await decide(
        strings.map(({ text }) => text),
        draft,
      );
    } catch (error) {
      calls.bind(['failed'])(1);
      log.warn({ request_id: draft.id, on_failure: onFailure, error }, 'the service of the content filter failed');
      if (onFailure === 'allow') return;
      throw new GatewayError(
        'service_unavailable',
        'The content of this request cannot be checked at the moment, so it is refused. Try again.',
      );
    }
    calls.bind([decision.is])(1);
    if (decision.is === 'replace')
      for (const [index, listed] of strings.entries()) texts.change(listed, decision.texts[index] ?? listed.text);
    if (decision.is !== 'refuse') return;
    const reason = decision.reason === undefined ? '' : ` (${decision.reason})`;
    throw new GatewayError(
      'content_filter',
      message ?? `The content policy of this gateway refused the request${reason}.`,
    );
  };
}
