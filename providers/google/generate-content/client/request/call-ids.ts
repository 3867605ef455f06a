import { deriveCallId } from '../../shape.ts';

interface Call {
  readonly name: string;
  readonly id: string;
  answered: boolean;
}

/** Queues of calls by key. Answered calls are skipped once, so that a turn of many calls takes linear time. */
class CallQueues {
  readonly #queues = new Map<string, { readonly calls: Call[]; position: number }>();

  add(key: string, call: Call): void {
    const queue = this.#queues.get(key);
    if (queue === undefined) this.#queues.set(key, { calls: [call], position: 0 });
    else queue.calls.push(call);
  }

  /** The first call under `key` that has no result yet. */
  first(key: string): Call | undefined {
    const queue = this.#queues.get(key);
    if (queue === undefined) return undefined;
    while (queue.calls[queue.position]?.answered === true) queue.position += 1;
    return queue.calls[queue.position];
  }
}

/**
 * Gemini CLI adds the name of the function to the start of an id, and removes it:
 * https://github.com/google-gemini/gemini-cli
 */
const rewrittenIds = ({ name, id }: Call): readonly string[] => [
  `${name}__${id}`,
  ...(id.startsWith(`${name}__`) ? [id.slice(name.length + 2)] : []),
];

/** The calls of one model turn. */
class TurnCalls {
  readonly #turn: number;
  readonly #byId = new CallQueues();
  readonly #byRewrittenId = new CallQueues();
  /** Calls by name, and all calls under the empty name, for results without a name. */
  readonly #byName = new CallQueues();
  /** The same for calls with derived ids. */
  readonly #derived = new CallQueues();
  #count = 0;

  constructor(turn: number) {
    this.#turn = turn;
  }

  add(name: string, id: string | undefined): Call {
    const call: Call = { name, id: id ?? deriveCallId(this.#turn, this.#count), answered: false };
    this.#count += 1;
    this.#byId.add(call.id, call);
    for (const rewritten of rewrittenIds(call)) this.#byRewrittenId.add(rewritten, call);
    for (const key of ['', name]) {
      this.#byName.add(key, call);
      if (id === undefined) this.#derived.add(key, call);
    }
    return call;
  }

  find(name: string, id: string | undefined): Call | undefined {
    if (id === undefined) return this.#byName.first(name);
    const rewritten = this.#byRewrittenId.first(id);
    return (
      this.#byId.first(id) ??
      (name === '' || rewritten?.name === name ? rewritten : undefined) ??
      this.#derived.first(name)
    );
  }
}

/**
 * Pairs the calls of the latest model turn with their results. Ids are optional on this wire: a call without one gets a
 * derived id. A result without an id, or with one that the client invented (`synth_…`), belongs to the first call of
 * its function that has no result yet. One instance per request: ids of earlier requests are not looked up.
 */
export class CallIds {
  #latest = new TurnCalls(0);

  /** @param turn index of the model turn that starts, among all turns */
  startTurn(turn: number): void {
    this.#latest = new TurnCalls(turn);
  }

  /** Returns the id of a call. */
  call(name: string, id: string | undefined): string {
    return this.#latest.add(name, id).id;
  }

  /**
   * Returns the id of the call that a result belongs to.
   * @param path of the result, from which an id is derived if it has no call
   */
  result(name: string | undefined, id: string | undefined, path: string): string {
    const call = this.#latest.find(name ?? '', id);
    if (call === undefined) return id ?? `result_${path.match(/\d+/g)?.join('_') ?? '0'}`;
    call.answered = true;
    return call.id;
  }
}
