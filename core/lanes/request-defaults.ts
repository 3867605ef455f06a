import { isObject } from '../canonical/json/members.ts';
import type { Lose } from '../canonical/loss.ts';
import type { GenerateRequest } from '../canonical/request.ts';
import type { JsonObject } from '../canonical/wire.ts';
import { listMissing, type RequestDefaults } from '../catalog/request-defaults.ts';
import type { FieldName, WireTraits } from '../contracts/capabilities.ts';
import type { BodyEdit } from '../contracts/native.ts';
import { foldName } from '../contracts/request-members.ts';
import { applyFits } from '../fits/support/compose.ts';
import { describeField } from '../fits/support/field-name.ts';
import type { Channel } from './channel.ts';

/** No wire has this name, so that every fit adapts the request to the target. */
const NO_WIRE = '';
const noLoss: Lose = () => {};
const reasoningNames: readonly FieldName[] = ['reasoning', 'effort', 'budget', 'show'];

/** A request with the defaults of its model, and what is lost of it. */
export interface Defaulted {
  readonly request: GenerateRequest;
  /** A loss is something that the client has sent: what the gateway has added is none. */
  readonly loseOfClient: (lose: Lose, client: WireTraits) => Lose;
}

/** The request with the defaults of its model; undefined if it sets everything. */
export function addDefaults(request: GenerateRequest, defaults: RequestDefaults | undefined): Defaulted | undefined {
  const missing = defaults && listMissing(request, defaults);
  if (missing === undefined) return undefined;
  const fields = Object.keys(missing).flatMap((field) =>
    field === 'reasoning' ? reasoningNames : [field as FieldName],
  );
  return {
    request: { ...request, ...missing },
    loseOfClient: (lose, client) => {
      const added = new Set(fields.map((field) => describeField(client, field)));
      return (field, kind, detail) => {
        if (!added.has(field)) lose(field, kind, detail);
      };
    },
  };
}

/** Sets the members of the body that the target gets and nothing else has set. */
export function setMissing(body: JsonObject, { body: members }: Pick<RequestDefaults, 'body'>): void {
  for (const [member, value] of Object.entries(members)) body[member] ??= value;
}

/** The settings of a request without its conversation, which decides nothing here. */
const settingsOf = ({ maxTokens, temperature, topP, topK, stream }: GenerateRequest): GenerateRequest => ({
  wire: NO_WIRE,
  turns: [{ role: 'user', parts: [{ type: 'text', text: 'a' }] }],
  tools: [],
  choices: 1,
  stream,
  includeUsage: false,
  extra: { wire: NO_WIRE, members: {} },
  ...Object.fromEntries(
    Object.entries({ maxTokens, temperature, topP, topK }).filter(([, value]) => value !== undefined),
  ),
});

const encode = (request: GenerateRequest, { fits, profile, upstream }: Channel<'generate'>): JsonObject => {
  const context = { lose: noLoss, client: {}, signal: new AbortController().signal };
  const fitted = applyFits(fits, request, profile, context);
  // Only media are waited for, and the request has none.
  return fitted instanceof Promise ? {} : upstream.encodeRequest(fitted.request, profile, noLoss).body;
};

/** What the client has set stays, also within an object. */
const mergeInto = (value: unknown, own: unknown): unknown => {
  if (own === undefined || own === null) return value;
  if (!isObject(value) || !isObject(own)) return own;
  const merged = { ...value, ...own };
  for (const name of Object.keys(value)) merged[name] = mergeInto(value[name], own[name]);
  return merged;
};

/** Google accepts two spellings of each member. */
const findMember = (body: Readonly<JsonObject>, name: string): string =>
  name in body ? name : (Object.keys(body).find((key) => foldName(key) === foldName(name)) ?? name);

const isEqual = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

/**
 * The edits of the client's body that set the defaults of the model. Neither body nor conversation is encoded: how the
 * encoding of the settings differs with the defaults is what is spliced in.
 */
export function editDefaults(
  request: GenerateRequest,
  channel: Channel<'generate'>,
  body: Readonly<JsonObject>,
  lose: Lose,
): readonly BodyEdit[] {
  const { defaults } = channel;
  if (defaults === undefined) return [];
  const edits: BodyEdit[] = Object.entries(defaults.body).flatMap(([member, value]) =>
    findMember(body, member) in body ? [] : [{ member, value }],
  );
  const missing = listMissing(request, defaults);
  if (missing === undefined) return edits;
  const own = settingsOf(request);
  const [before, after] = [encode(own, channel), encode({ ...own, ...missing }, channel)];
  for (const [name, value] of Object.entries(after)) {
    const member = findMember(body, name);
    if (!isEqual(value, before[name])) edits.push({ member, value: mergeInto(value, body[member]) });
  }
  for (const member of Object.keys(before)) {
    if (member in after || body[member] === undefined) continue;
    edits.push({ member, value: undefined });
    lose(member, 'dropped', 'the defaults of the model exclude it');
  }
  return edits;
}
