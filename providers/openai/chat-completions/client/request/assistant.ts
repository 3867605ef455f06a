import type { Part } from '../../../../../core/api/index.ts';
import { type Members, readMembers, readObject, readText, unsealProof } from '../../../../../core/api/codec.ts';
import { readArguments, requiredObject } from '../../../request-members.ts';
import { foldDetails, readDetails } from '../../reasoning-details.ts';
import { openCallId } from '../../sealed-ids.ts';
import { WIRE } from '../../shape.ts';
import type { MeasureImage } from './media.ts';
import { decodeContent } from './parts.ts';

/** The details have the proofs, so they take precedence over the plain text, which repeats them. */
const decodeReasoningParts = (message: Members): readonly Part[] => {
  const details = foldDetails(readDetails(message.array('reasoning_details')), unsealProof);
  const text = message.string('reasoning_content') ?? '';
  const alias = readText(message.value('reasoning'));
  if (details.length > 0) return details;
  const plain = text === '' ? alias : text;
  return plain === '' ? [] : [{ type: 'reasoning', text: plain }];
};

/** The thought signature of a call, where Google's clients of this wire keep it. */
const signatureOf = (call: Members): string =>
  readText(readObject(readObject(call.value('extra_content'))['google'])['thought_signature']);

const decodeCall = (value: unknown, path: string, fallbackId: string): Part => {
  const call = readMembers(value, path);
  const { id, proof } = openCallId(call.string('id') ?? '');
  const sealed = proof === undefined ? {} : { proof };
  const head = { type: 'tool-call', id: id === '' ? fallbackId : id, ...sealed } as const;
  const kind = call.string('type') ?? 'function';
  if (kind === 'custom') {
    const custom = requiredObject(call, 'custom');
    return { ...head, kind, name: custom.requiredString('name'), input: readArguments(custom, 'input') };
  }
  if (kind !== 'function') return { type: 'opaque', wire: WIRE, value };
  const members = requiredObject(call, 'function');
  const signature = signatureOf(call);
  return {
    ...head,
    kind,
    name: members.requiredString('name'),
    input: readArguments(members, 'arguments'),
    ...(signature === '' ? {} : { proof: unsealProof(signature) }),
  };
};

const decodeLegacyCall = (message: Members, index: number, legacyCalls: Map<string, string>): readonly Part[] => {
  const call = message.object('function_call');
  if (call === undefined) return [];
  const name = call.requiredString('name');
  const id = `call_legacy_${index}`;
  legacyCalls.set(name, id);
  return [{ type: 'tool-call', kind: 'function', id, name, input: readArguments(call, 'arguments') }];
};

/** Reasoning, then text and refusal, then tool calls: the order in which the model produced them. */
export function decodeAssistantParts(
  message: Members,
  index: number,
  measureImage: MeasureImage,
  legacyCalls: Map<string, string>,
): readonly Part[] {
  const refusal = message.string('refusal') ?? '';
  const calls = message.array('tool_calls') ?? [];
  return [
    ...decodeReasoningParts(message),
    ...decodeContent(message, 'content', measureImage),
    ...(refusal === '' ? [] : [{ type: 'refusal', text: refusal } as const]),
    ...calls.map((call, position) =>
      decodeCall(call, `${message.at('tool_calls')}[${position}]`, `call_${index}_${position}`),
    ),
    ...decodeLegacyCall(message, index, legacyCalls),
  ];
}
