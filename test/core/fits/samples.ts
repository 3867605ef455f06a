import { omitUndefined } from '../../../core/api/codec.ts';
import type { GenerateEvent } from '../../../core/canonical/event.ts';
import type { Loss } from '../../../core/canonical/loss.ts';
import type { Media, Part } from '../../../core/canonical/part.ts';
import type { GenerateRequest, Turn } from '../../../core/canonical/request.ts';
import type { WireName } from '../../../core/canonical/wire.ts';
import type { HostedToolsPolicy } from '../../../core/contracts/caller.ts';
import type { Capabilities } from '../../../core/contracts/capabilities.ts';
import type { TargetProfile } from '../../../core/contracts/codec-context.ts';
import type { EventFilter } from '../../../core/contracts/codec.ts';
import type { Fit, FitContext, Fitted } from '../../../core/contracts/fit.ts';
import { GatewayError } from '../../../core/errors/gateway-error.ts';
import { traitsOf } from '../../providers/traits-of.ts';

export const text = (value: string): Part => ({ type: 'text', text: value });
export const user = (...parts: readonly (Part | string)[]): Turn => ({
  role: 'user',
  parts: parts.map((part) => (typeof part === 'string' ? text(part) : part)),
});
export const system = (value: string): Turn => ({ role: 'system', parts: [text(value)] });
export const assistant = (...parts: readonly (Part | string)[]): Turn => ({ ...user(...parts), role: 'assistant' });
export const call = (id: string, name = 'find', input = '{}'): Part => ({
  type: 'tool-call',
  id,
  name,
  kind: 'function',
  input,
});
export const result = (id: string, value = 'found'): Part => ({
  type: 'tool-result',
  id,
  failed: false,
  parts: [text(value)],
});

export const createRequest = (members: Partial<GenerateRequest> = {}): GenerateRequest => ({
  wire: 'chat-completions',
  turns: [user('hello')],
  tools: [],
  choices: 1,
  stream: false,
  includeUsage: false,
  extra: { wire: 'chat-completions', members: {} },
  ...members,
});

export const createProfile = (
  capabilities: Capabilities = {},
  members: Partial<TargetProfile> = {},
): TargetProfile => ({
  provider: 'there',
  model: 'model-1',
  wire: 'messages',
  origin: { provider: 'there', family: 'family-1' },
  capabilities,
  traits: traitsOf(members.wire ?? 'messages'),
  ...members,
});

export interface FitRun {
  readonly fitted: Fitted | undefined;
  /** The fitted request, or the request itself if the fit changed nothing. */
  readonly request: GenerateRequest;
  readonly losses: readonly Loss[];
}

/** @param wire the client's wire */
export const createContext = (
  losses: Loss[] = [],
  media?: (url: string) => Promise<Media>,
  wire: WireName = 'chat-completions',
  hostedTools?: HostedToolsPolicy,
): FitContext =>
  omitUndefined({
    lose: (field, kind, detail) => losses.push({ field, kind, detail }),
    client: traitsOf(wire),
    signal: new AbortController().signal,
    hostedTools,
    media,
  });

/** Runs one synchronous fit, if it applies. */
export const runFit = (
  fit: Fit,
  request: GenerateRequest,
  profile: TargetProfile,
  hostedTools?: HostedToolsPolicy,
): FitRun => {
  const losses: Loss[] = [];
  const fitted =
    fit.applies?.(profile) === false
      ? undefined
      : fit.fit(request, profile, createContext(losses, undefined, request.wire, hostedTools));
  if (fitted instanceof Promise) throw new Error(`${fit.name} gave a promise`);
  return { fitted, request: fitted?.request ?? request, losses };
};

export const namesOf = (losses: readonly Loss[]): readonly string[] =>
  losses.map(({ field, kind }) => `${field} ${kind}`);

/** The error that `run` throws. */
export const catchError = (run: () => unknown): GatewayError => {
  try {
    run();
  } catch (thrown) {
    if (GatewayError.is(thrown)) return thrown;
    throw thrown;
  }
  throw new Error('nothing was thrown');
};

export const filterEvents = (filter: EventFilter, events: readonly GenerateEvent[]): readonly GenerateEvent[] => {
  const out: GenerateEvent[] = [];
  for (const event of events) filter.push(event, (emitted) => out.push(emitted));
  return out;
};

/** A response of one choice as events: each part a text, or a call with its JSON in pieces. */
export const createAnswer = (
  parts: readonly (string | { readonly name: string; readonly pieces: readonly string[] })[],
  reason: 'stop' | 'tool_calls' | 'length' = 'stop',
  choice = 0,
): readonly GenerateEvent[] => [
  { type: 'response-start', id: 'r1' },
  ...parts.flatMap((part, handle): readonly GenerateEvent[] => [
    typeof part === 'string'
      ? { type: 'part-start', choice, part: handle, kind: 'text' }
      : {
          type: 'part-start',
          choice,
          part: handle,
          kind: 'tool-call',
          call: { id: `c${handle}`, name: part.name, kind: 'function' },
        },
    ...(typeof part === 'string' ? [part] : part.pieces).map((piece): GenerateEvent => ({
      type: 'part-delta',
      choice,
      part: handle,
      text: piece,
    })),
    { type: 'part-end', choice, part: handle },
  ]),
  { type: 'choice-end', choice, finish: { reason } },
  { type: 'response-end' },
];
