import {
  createKeptLimit,
  type EmitEvent,
  isObject,
  type JsonObject,
  KEPT_ENTRY,
  omitUndefined,
  type Proof,
  type ReadContext,
  readList,
  readObject,
  readText,
} from '../../../../../core/index.ts';

import { deriveCallId, isCustom, readArguments, readSignature } from './message.ts';

/** A call that is being read. It begins for the world when its name is known; input that came before waits. */
interface OpenCall {
  readonly order: number;
  readonly kind: 'function' | 'custom';
  id: string;
  name: string;
  part: number | undefined;
  waiting: string;
  empty: boolean;
  proof?: Proof;
}

export interface CallReader {
  /** @param interrupt closes the text before the first new call */
  read(delta: Readonly<JsonObject>, interrupt: () => void, emit: EmitEvent): void;
  close(emit: EmitEvent): void;
  readonly count: number;
}

/** One entry of `tool_calls`, reduced to what matters. */
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

/** The deprecated `function_call` has no index and no id; vendors also send it empty. */
const readLegacy = (delta: Readonly<JsonObject>): readonly Fragment[] => {
  const call = readObject(delta['function_call']);
  const [name, input] = [readText(call['name']), readArguments(call['arguments'])];
  return name === '' && input === '' ? [] : [{ index: -1, id: '', kind: 'function', name, input, signature: '' }];
};

/**
 * Which call a fragment belongs to is told by its index. Without one, a new id or a name begins a call, and anything else goes on with the last.
 * Google's server numbers every call 0: another id together with a name is another call, whatever the index.
 */
const isSame = (call: OpenCall, { index, id, name }: Fragment): boolean => {
  if (id !== '' && call.id !== '' && id !== call.id) return name === '';
  return index !== undefined || id !== '' || name === '';
};

export function createCallReader(choice: number, context: ReadContext, allocate: () => number): CallReader {
  const calls: OpenCall[] = [];
  const byIndex = new Map<number, OpenCall>();
  const byId = new Map<string, OpenCall>();
  const keep = createKeptLimit();

  const callOf = (fragment: Fragment): OpenCall => {
    const { index, id, kind } = fragment;
    const known = index === undefined ? (byId.get(id) ?? calls.at(-1)) : byIndex.get(index);
    const call =
      known !== undefined && isSame(known, fragment)
        ? known
        : { order: calls.length, kind, id, name: '', part: undefined, waiting: '', empty: true };
    if (call !== known) {
      keep(KEPT_ENTRY);
      calls.push(call);
    }
    if (index !== undefined) byIndex.set(index, call);
    return call;
  };
  const begin = (call: OpenCall, emit: EmitEvent): number => {
    if (call.part !== undefined) return call.part;
    const id = call.id === '' ? deriveCallId(context, choice, call.order) : call.id;
    call.part = allocate();
    emit({
      type: 'part-start',
      choice,
      part: call.part,
      kind: 'tool-call',
      call: { id, name: call.name, kind: call.kind },
    });
    return call.part;
  };
  const write = (call: OpenCall, text: string, emit: EmitEvent) => {
    if (text === '') return;
    call.empty = false;
    emit({ type: 'part-delta', choice, part: begin(call, emit), text });
  };
  const take = (fragment: Fragment, interrupt: () => void, emit: EmitEvent) => {
    const call = callOf(fragment);
    if (call.part === undefined) interrupt();
    call.id ||= fragment.id;
    if (call.id !== '' && !byId.has(call.id)) byId.set(call.id, call);
    call.name ||= fragment.name;
    if (fragment.signature !== '') call.proof = { origin: context.origin, value: fragment.signature };
    call.waiting += fragment.input;
    if (call.name === '') {
      keep(fragment.input.length);
      return;
    }
    begin(call, emit);
    write(call, call.waiting, emit);
    call.waiting = '';
  };

  return {
    get count() {
      return calls.length;
    },
    read: (delta, interrupt, emit) => {
      for (const fragment of [
        ...readList(delta['tool_calls']).filter(isObject).map(readFragment),
        ...readLegacy(delta),
      ])
        take(fragment, interrupt, emit);
    },
    close: (emit) => {
      for (const call of calls) {
        write(call, call.waiting, emit);
        const part = begin(call, emit);
        if (call.empty && call.kind === 'function') emit({ type: 'part-delta', choice, part, text: '{}' });
        emit(omitUndefined({ type: 'part-end', choice, part, proof: call.proof }));
      }
    },
  };
}
