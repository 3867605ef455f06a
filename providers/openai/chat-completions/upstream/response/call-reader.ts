import type { JsonObject } from '../../../../../core/api/index.ts';
import {
  createBufferLimit,
  type EmitEvent,
  isObject,
  BUFFERED_ENTRY_COST,
  omitUndefined,
  type Proof,
  type ReadContext,
  readList,
  readObject,
  readText,
} from '../../../../../core/api/codec.ts';
import { deriveCallId, isCustom, readArguments, readSignature } from './message.ts';
import type { PartWriter } from './part-writer.ts';

/** A call that is being read. Its part starts when its name is known; input that comes earlier waits. */
interface OpenCall {
  /** The position of the call in the choice. */
  readonly order: number;
  readonly kind: 'function' | 'custom';
  id: string;
  name: string;
  part: number | undefined;
  /** Input that came before the name. */
  waiting: string;
  empty: boolean;
  proof?: Proof;
}

/** One entry of `tool_calls`. */
interface Fragment {
  readonly index: number | undefined;
  readonly id: string;
  readonly kind: OpenCall['kind'];
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
  readonly #choice: number;
  readonly #context: ReadContext;
  readonly #parts: PartWriter;
  readonly #calls: OpenCall[] = [];
  readonly #byIndex = new Map<number, OpenCall>();
  readonly #byId = new Map<string, OpenCall>();
  readonly #keep = createBufferLimit();

  constructor(choice: number, context: ReadContext, parts: PartWriter) {
    this.#choice = choice;
    this.#context = context;
    this.#parts = parts;
  }

  get count(): number {
    return this.#calls.length;
  }

  read(delta: Readonly<JsonObject>, emit: EmitEvent): void {
    for (const call of readList(delta['tool_calls'])) if (isObject(call)) this.#take(readFragment(call), emit);
    const legacy = readLegacyFragment(delta);
    if (legacy !== undefined) this.#take(legacy, emit);
  }

  close(emit: EmitEvent): void {
    for (const call of this.#calls) {
      this.#write(call, call.waiting, emit);
      const part = this.#start(call, emit);
      if (call.empty && call.kind === 'function') emit({ type: 'part-delta', choice: this.#choice, part, text: '{}' });
      emit(omitUndefined({ type: 'part-end', choice: this.#choice, part, proof: call.proof }));
    }
  }

  #take(fragment: Fragment, emit: EmitEvent): void {
    const call = this.#find(fragment);
    if (call.part === undefined) this.#parts.close(emit);
    call.id ||= fragment.id;
    if (call.id !== '' && !this.#byId.has(call.id)) this.#byId.set(call.id, call);
    call.name ||= fragment.name;
    if (fragment.signature !== '') call.proof = { origin: this.#context.origin, value: fragment.signature };
    call.waiting += fragment.input;
    if (call.name === '') {
      this.#keep(fragment.input.length);
      return;
    }
    this.#start(call, emit);
    this.#write(call, call.waiting, emit);
    call.waiting = '';
  }

  /** The call that the fragment continues, or a new one. */
  #find(fragment: Fragment): OpenCall {
    const { index, id, kind } = fragment;
    let call = index === undefined ? (this.#byId.get(id) ?? this.#calls.at(-1)) : this.#byIndex.get(index);
    if (call === undefined || !continues(call, fragment)) {
      this.#keep(BUFFERED_ENTRY_COST);
      call = { order: this.#calls.length, kind, id, name: '', part: undefined, waiting: '', empty: true };
      this.#calls.push(call);
    }
    if (index !== undefined) this.#byIndex.set(index, call);
    return call;
  }

  #start(call: OpenCall, emit: EmitEvent): number {
    if (call.part !== undefined) return call.part;
    const part = this.#parts.next();
    const id = call.id === '' ? deriveCallId(this.#context, this.#choice, call.order) : call.id;
    call.part = part;
    emit({
      type: 'part-start',
      choice: this.#choice,
      part,
      kind: 'tool-call',
      call: { id, name: call.name, kind: call.kind },
    });
    return part;
  }

  #write(call: OpenCall, text: string, emit: EmitEvent): void {
    if (text === '') return;
    call.empty = false;
    emit({ type: 'part-delta', choice: this.#choice, part: this.#start(call, emit), text });
  }
}
