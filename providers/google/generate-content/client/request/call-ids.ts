import { deriveCallId } from '../../shape.ts';

interface Call {
  readonly name: string;
  readonly id: string;
  answered: boolean;
}

/** Pairs the calls of the latest model turn with their results. Made per request: ids that were once handed out are not looked up. */
export interface CallIds {
  /** A model turn begins. @param turn its index among all turns */
  open(turn: number): void;
  call(name: string, id: string | undefined): string;
  /** @param place says where the result stands, for one that nobody asked for */
  result(name: string | undefined, id: string | undefined, place: string): string;
}

/** Calls in their order under a key; each is passed over once it is answered, so that a turn of many costs no more than their number. */
const createQueues = () => {
  const queues = new Map<string, { readonly calls: Call[]; at: number }>();
  return {
    add: (key: string, call: Call): void => {
      const queue = queues.get(key);
      if (queue === undefined) queues.set(key, { calls: [call], at: 0 });
      else queue.calls.push(call);
    },
    first: (key: string): Call | undefined => {
      const queue = queues.get(key);
      if (queue === undefined) return undefined;
      while (queue.calls[queue.at]?.answered === true) queue.at += 1;
      return queue.calls[queue.at];
    },
  };
};

/** Gemini CLI writes the name of the function before an id, and takes it away: https://github.com/google-gemini/gemini-cli */
const rewritesOf = ({ name, id }: Call): readonly string[] => [
  `${name}__${id}`,
  ...(id.startsWith(`${name}__`) ? [id.slice(name.length + 2)] : []),
];

/** The calls of one model turn. */
const createTurn = (turn: number) => {
  const [byId, byRewrite, byName, derived] = [createQueues(), createQueues(), createQueues(), createQueues()];
  let count = 0;
  /** Results without a name answer calls of any: such calls stand under no name as well. */
  const addNamed = (queues: ReturnType<typeof createQueues>, call: Call): void =>
    ['', call.name].forEach((name) => queues.add(name, call));
  return {
    add: (name: string, given: string | undefined): Call => {
      const call: Call = { name, id: given ?? deriveCallId(turn, count), answered: false };
      count += 1;
      byId.add(call.id, call);
      for (const id of rewritesOf(call)) byRewrite.add(id, call);
      addNamed(byName, call);
      if (given === undefined) addNamed(derived, call);
      return call;
    },
    find: (name: string, id: string | undefined): Call | undefined => {
      if (id === undefined) return byName.first(name);
      const rewritten = byRewrite.first(id);
      return byId.first(id) ?? (name === '' || rewritten?.name === name ? rewritten : undefined) ?? derived.first(name);
    },
  };
};

/**
 * Ids are optional on this wire. A call without one gets one by its place; a result without one, or with one that the client made up itself
 * (`synth_…`), answers the first call of its function that has none yet.
 */
export function createCallIds(): CallIds {
  let latest = createTurn(0);
  return {
    open: (at) => {
      latest = createTurn(at);
    },
    call: (name, id) => latest.add(name, id).id,
    result: (name = '', id, place) => {
      const call = latest.find(name, id);
      if (call === undefined) return id ?? `result_${place.match(/\d+/g)?.join('_') ?? '0'}`;
      call.answered = true;
      return call.id;
    },
  };
}
