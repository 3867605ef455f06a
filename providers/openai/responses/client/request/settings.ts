import type { GenerateRequest, JsonObject } from '../../../../../core/api/index.ts';
import {
  isObject,
  lookUp,
  readList,
  readMembers,
  readObject,
  type ExtraMembers,
} from '../../../../../core/api/codec.ts';
import { invalidMember } from '../../../request-members.ts';
import { listGroups } from '../../../chat-completions/client/request/settings.ts';
import { ENCRYPTED_REASONING, LOGPROBS } from '../../shape.ts';

const MAX_ALTERNATIVES = 20;

/** Members that refer to something stored at the vendor. */
const references = ['previous_response_id', 'conversation', 'prompt'] as const;

/** The names of the references in a request. Their values stay unread, and so in `extra`. */
export function listReferences(body: unknown): readonly string[] {
  const view = readMembers(body);
  view.string('previous_response_id');
  view.rawObject('prompt');
  const conversation = view.value('conversation');
  if (conversation !== undefined && typeof conversation !== 'string' && !isObject(conversation)) {
    throw invalidMember('conversation', 'must be the id of a conversation, or an object that holds it.');
  }
  return [
    ...references.filter((name) => view.has(name)),
    ...(view.boolean('background') === true ? ['background'] : []),
  ];
}

/**
 * Checks members that have limits but no canonical member. It reads them through a view of its own, so that they count
 * as unread in the body and stay in `extra`.
 */
export function checkSettings(body: unknown): void {
  const view = readMembers(body);
  view.number('top_logprobs', { integer: true, min: 0, max: MAX_ALTERNATIVES });
  view.number('max_tool_calls', { integer: true, min: 0 });
  view.rawObject('metadata');
  view.string('truncation');
  view.strings('include');
  view.object('stream_options')?.boolean('include_obfuscation');
}

/** Log probabilities are included by name, or asked for by their number. Both members stay in `extra` as well. */
export function readLogprobsWanted(body: unknown): Pick<GenerateRequest, 'logprobs'> {
  const { include, top_logprobs: count } = readObject(body);
  const top = typeof count === 'number' ? count : 0;
  return top > 0 || readList(include).includes(LOGPROBS) ? { logprobs: top } : {};
}

/**
 * Extra members whose loss on another wire changes nothing: the gateway echoes them, provides the proofs itself, or the
 * value is what every vendor does anyway.
 */
const isHonoured: Readonly<Record<string, (value: unknown) => boolean>> = {
  metadata: () => true,
  include: (names) => Array.isArray(names) && names.every((name) => name === ENCRYPTED_REASONING || name === LOGPROBS),
  truncation: (mode) => mode === 'disabled',
  top_logprobs: () => true,
};

/** How the extra members are reported on another wire. */
export function describeExtra(members: Readonly<JsonObject>): Pick<ExtraMembers, 'honoured' | 'groups'> {
  const honoured = Object.entries(members).flatMap(([name, value]) =>
    lookUp(isHonoured, name)?.(value) === true ? [name] : [],
  );
  return { ...listGroups(members), ...(honoured.length === 0 ? {} : { honoured }) };
}

/**
 * Removes members that change nothing or that the gateway handles itself, so that they are no loss on another wire.
 * @param proofs the gateway provides the proofs of reasoning; `encodeStorage` requests them from the vendor again
 */
export function tidySettings(members: JsonObject, proofs: boolean): JsonObject {
  const { background, include, stream_options: options, ...others } = members;
  const included = Array.isArray(include) ? include.filter((name) => !proofs || name !== ENCRYPTED_REASONING) : [];
  const { include_obfuscation: obfuscation, ...known } = readObject(options);
  const kept = { ...(obfuscation === true ? { include_obfuscation: obfuscation } : {}), ...known };
  return {
    ...others,
    ...(background === true ? { background } : {}),
    ...(included.length === 0 ? {} : { include: included }),
    ...(Object.keys(kept).length === 0 ? {} : { stream_options: kept }),
  };
}
