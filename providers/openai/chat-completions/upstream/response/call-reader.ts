import type { JsonObject } from '../../../../../core/api/index.ts';
import {
  type ChoiceWriter,
  isObject,
  type PartWriter,
  type ReadContext,
  readList,
  readObject,
  readText,
} from '../../../../../core/api/codec.ts';
import { deriveCallId, isCustom, readArguments, readSignature } from './message.ts';

/** A call that is being read. */
interface OpenCall {
  /** As the vendor sent it. */
  id: string;
  readonly part: PartWriter;
}

/** One entry of `tool_calls`. */
interface Fragment {
  readonly index: number | undefined;
  readonly id: string;
  readonly kind: 'function' | 'custom';
  readonly name: string;
  readonly input: string;
  readonly signature: string;
}

const readFragment = (call: JsonObject): Fragment => {
  const custom = isCustom(call);
  const body = readObject(custom ? call['custom'] : call['function']);
  const { index } = call;
  return {
    index: typeof index === 'number' ? index : undefined,
    id: readText(call['id']),
    kind: custom ? 'custom' : 'function',
    name: readText(body['name']),
    input: readArguments(custom ? body['input'] : body['arguments']),
    signature: readSignature(call),
  };
};

/** The deprecated `function_call` has neither index nor id. Vendors also send it empty. */
const readLegacyFragment = (delta: Readonly<JsonObject>): Fragment | undefined => {
  const call = readObject(delta['function_call']);
  const name = readText(call['name']);
  const input = readArguments(call['arguments']);
  return name === '' && input === '' ? undefined : { index: -1, id: '', kind: 'function', name, input, signature: '' };
};

/**
 * Whether the fragment continues this call. The index decides. Without one, a new id or a name starts a call, and
 * anything else continues the last. Google's server numbers every call 0: another id together with a name is another
 * call, whatever the index.
 */
const continues = (call: OpenCall, { index, id, name }: Fragment): boolean => {
  if (id !== '' && call.id !== '' && id !== call.id) return name === '';
  return index !== undefined || id !== '' || name === '';
};

/** Reads the tool calls of one choice from its deltas. */
export class CallReader {
  readonly #context: ReadContext;
  readonly #choice: number;
  readonly #answer: ChoiceWriter;
  #last: OpenCall | undefined;
  readonly #byIndex = new Map<number, OpenCall>();
  readonly #byId = new Map<string, OpenCall>();

  constructor(context: ReadContext, choice: number, answer: ChoiceWriter) {
    this.#context = context;
    this.#choice = choice;
    this.#answer = answer;
  }

  read(delta: Readonly<JsonObject>): void {
    for (const call of readList(delta['tool_calls'])) if (isObject(call)) this.#take(readFragment(call));
    const legacy = readLegacyFragment(delta);
    if (legacy !== undefined) this.#take(legacy);
  }

  #take(fragment: Fragment): void {
    const call = this.#find(fragment);
    call.id ||= fragment.id;
    if (call.id !== '' && !this.#byId.has(call.id)) this.#byId.set(call.id, call);
    call.part.write(fragment.input);
    call.part.identify(call.id, fragment.name);
    if (fragment.signature !== '') call.part.proof = { origin: this.#context.origin, value: fragment.signature };
  }

  /** The call that the fragment continues, or a new one. */
  #find(fragment: Fragment): OpenCall {
    const { index, id, name, kind } = fragment;
    let call = index === undefined ? (this.#byId.get(id) ?? this.#last) : this.#byIndex.get(index);
    if (call === undefined || !continues(call, fragment)) {
      const known = id || deriveCallId(this.#context, this.#choice, this.#answer.calls);
      // The part of a call starts when its name is known.
      call = { id, part: this.#answer.call({ id: known, name, kind }) };
      this.#last = call;
    }
    if (index !== undefined) this.#byIndex.set(index, call);
    return call;
  }
}
