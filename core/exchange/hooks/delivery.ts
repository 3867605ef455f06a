import { isObject } from '../../canonical/json/members.ts';
import type { Ending } from '../../contracts/attempt-record.ts';
import type { Output, Reply } from '../../contracts/attempt.ts';
import type { GatewayError } from '../../errors/gateway-error.ts';
import { DeadlineWrapper } from './deadline-wrapper.ts';
import { describeValue, watchHook, type HookParts, type HookWatch } from './hook.ts';

type Deliver = () => Promise<Ending>;

/** The watches of an interceptor: by its `onError`, and with a fixed action. */
interface DeliveryWatches {
  readonly configured: HookWatch;
  readonly fail: HookWatch;
  readonly skip: HookWatch;
}

const check = (ending: Ending): string | undefined => {
  const given: unknown = ending;
  return isObject(given) && typeof given['reason'] === 'string' && typeof given['outputChars'] === 'number'
    ? undefined
    : `${describeValue(given)}, not an ending`;
};

const callDeliver = (deliver: Deliver): Promise<Ending> => deliver();

/**
 * Watches the replies of one run of an interceptor, which can wrap the delivery of a reply or return one of its own.
 * The interceptor's time does not run while it waits for the inner delivery or for the client, and starts anew with
 * every write. A failure before the inner delivery has begun follows `onError`: when skipped, the inner reply is
 * delivered instead. A failure in the middle ends the response with an error. A failure after the end changes nothing.
 */
class DeliveryWatch {
  readonly #watches: DeliveryWatches;
  readonly #requestId: string;
  /** The last reply of the inner chain. */
  #inner: Reply | undefined;
  /** The copy of it that the interceptor was given. */
  #exposed: Reply | undefined;
  #run: DeadlineWrapper<Deliver, Ending> | undefined;
  /** Writes into the interceptor's own output that have not finished. */
  #pendingWrites = 0;
  #isDelivered = false;

  constructor(watches: DeliveryWatches, requestId: string) {
    this.#watches = watches;
    this.#requestId = requestId;
  }

  /** The copy of an inner reply that the interceptor is given. */
  expose(reply: Reply): Reply {
    this.#inner = reply;
    this.#exposed = {
      ...reply,
      deliver: (output) => {
        const run = this.#run;
        return run === undefined
          ? reply.deliver(output)
          : run.next(() => this.#deliverInner(reply, this.#watchWrites(output, run)));
      },
    };
    return this.#exposed;
  }

  /** The reply that is passed on in place of the interceptor's. If the delivery is unchanged, it is not watched. */
  accept(reply: Reply): Reply {
    const inner = this.#inner;
    if (inner !== undefined && reply.deliver === this.#exposed?.deliver)
      return reply === this.#exposed ? inner : { ...reply, deliver: inner.deliver };
    return {
      ...reply,
      deliver: (output) => this.#deliver(reply, output),
      cancel: (reason) => this.#cancel(reply, reason),
    };
  }

  #deliver(reply: Reply, output: Output): Promise<Ending> {
    let isClosed = false;
    const deliverInstead = (): Promise<Ending> => {
      isClosed = true;
      return this.#deliverInner(this.#inner ?? reply, output);
    };
    const run = new DeadlineWrapper<Deliver, Ending>({
      watch: { ...this.#watches.configured, judge: this.#judge },
      requestId: this.#requestId,
      inner: callDeliver,
      argument: deliverInstead,
      once: true,
      check,
    });
    this.#run = run;
    const write: Output['write'] = (bytes, isLast) => {
      const full = isClosed ? undefined : output.write(bytes, isLast);
      run.suspendDuring(full);
      return full;
    };
    return run.run(async () => reply.deliver({ write }));
  }

  async #deliverInner(reply: Reply, output: Output): Promise<Ending> {
    const ending = await reply.deliver(output);
    this.#isDelivered = true;
    return ending;
  }

  /** The interceptor's own output: while one of its writes is pending, the inner delivery waits for the interceptor. */
  #watchWrites({ write }: Output, run: DeadlineWrapper<Deliver, Ending>): Output {
    const done = (): void => void (this.#pendingWrites -= 1);
    return {
      write: (bytes, isLast) => {
        this.#pendingWrites += 1;
        try {
          const full = write(bytes, isLast);
          if (full === undefined) done();
          else run.countDuring(full.finally(done));
          return full;
        } catch (thrown) {
          run.fail(thrown);
          throw thrown;
        }
      },
    };
  }

  readonly #judge: HookWatch['judge'] = (thrown, requestId) => {
    const { configured, fail, skip } = this.#watches;
    if (this.#isDelivered) return skip.judge(thrown, requestId);
    // Nothing to deliver instead, or a part of the response is lost in a pending write.
    const isFinal = this.#inner === undefined || this.#pendingWrites > 0;
    return (isFinal ? fail : configured).judge(thrown, requestId);
  };

  #cancel(reply: Reply, reason: GatewayError): void {
    try {
      reply.cancel(reason);
    } catch (thrown) {
      this.#watches.skip.judge(thrown, this.#requestId);
      this.#inner?.cancel(reason);
    }
  }
}

/** Creates the watches of the runs of one interceptor. */
export function watchDelivery(parts: HookParts): (configured: HookWatch, requestId: string) => DeliveryWatch {
  const fail = watchHook(parts, 'interceptor', 'fail');
  const skip = watchHook(parts, 'interceptor', 'skip');
  return (configured, requestId) => new DeliveryWatch({ configured, fail, skip }, requestId);
}
