import {
  invalidRequest,
  isObject,
  type JsonObject,
  lookUp,
  readMembers,
  readObject,
  type ExtraMembers,
} from '../../../../../core/index.ts';
import { ENCRYPTED_REASONING } from '../../shape.ts';

const MOST_ALTERNATIVES = 20;

/** What refers to something kept at the vendor. */
const references = ['previous_response_id', 'conversation', 'prompt'] as const;

/** The references of a request, by their names. Their values stay unread in the body and so in `extra`. */
export function listReferences(body: unknown): readonly string[] {
  const view = readMembers(body);
  view.string('previous_response_id');
  view.rawObject('prompt');
  const conversation = view.value('conversation');
  if (conversation !== undefined && typeof conversation !== 'string' && !isObject(conversation)) {
    throw invalidRequest(
      'conversation',
      "'conversation' must be the id of a conversation, or an object that holds it.",
    );
  }
  return [
    ...references.filter((name) => view.has(name)),
    ...(view.boolean('background') === true ? ['background'] : []),
  ];
}

/**
 * Members that have limits but no canonical word. They are checked over a view of their own, so that they stay unread in the body and reach
 * `extra`.
 */
export function checkSettings(body: unknown): void {
  const view = readMembers(body);
  view.number('top_logprobs', { integer: true, min: 0, max: MOST_ALTERNATIVES });
  view.number('max_tool_calls', { integer: true, min: 0 });
  view.rawObject('metadata');
  view.string('truncation');
  view.strings('include');
  view.object('stream_options')?.boolean('include_obfuscation');
}

/** Members of which the gateway gives all there is: by repeating them, by handing out proofs itself, or because they say what every vendor does. */
const isHonoured: Readonly<Record<string, (value: unknown) => boolean>> = {
  metadata: () => true,
  include: (wishes) => Array.isArray(wishes) && wishes.every((wish) => wish === ENCRYPTED_REASONING),
  truncation: (word) => word === 'disabled',
  top_logprobs: (count) => count === 0,
};

/** Which members of `extra` nobody loses on another wire. */
export function listHonoured(members: Readonly<JsonObject>): Pick<ExtraMembers, 'honoured'> {
  const honoured = Object.entries(members).flatMap(([name, value]) =>
    lookUp(isHonoured, name)?.(value) === true ? [name] : [],
  );
  return honoured.length === 0 ? {} : { honoured };
}

/**
 * `extra` without what says the same when it is left out, or is done by the gateway: nobody loses it on another wire.
 * @param proofs the gateway hands out proofs of reasoning itself; the vendor is asked for them again wherever nothing is stored
 */
export function tidySettings(members: JsonObject, proofs: boolean): JsonObject {
  const { background, include, stream_options: options, ...others } = members;
  const wishes = Array.isArray(include) ? include.filter((wish) => !proofs || wish !== ENCRYPTED_REASONING) : [];
  const { include_obfuscation: obfuscation, ...known } = readObject(options);
  const kept = { ...(obfuscation === true ? { include_obfuscation: obfuscation } : {}), ...known };
  return {
    ...others,
    ...(background === true ? { background } : {}),
    ...(wishes.length === 0 ? {} : { include: wishes }),
    ...(Object.keys(kept).length === 0 ? {} : { stream_options: kept }),
  };
}
