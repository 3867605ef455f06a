import { isObject } from '../../canonical/json/members.ts';
import type { Ending } from '../../contracts/exchange.ts';
import type { Output, Reply } from '../../contracts/reply.ts';
import type { GatewayError } from '../../errors/gateway-error.ts';
import { createAround, type Around } from './around.ts';
import { describeValue, watchHook, type GuardParts, type HookWatch } from './hook.ts';

type Deliver = () => Promise<Ending>;

/** The answers of one run of an interceptor, on their way through it. */
export interface Delivery {
  /** What the interceptor is given of an answer from inside. */
  lend(reply: Reply): Reply;
  /** What is handed on of what it answered: where it left the delivery alone, it has no part in it. */
  accept(answer: Reply): Reply;
}

const check = (ending: Ending): string | undefined => {
  const given: unknown = ending;
  return isObject(given) && typeof given['reason'] === 'string' && typeof given['outputChars'] === 'number'
    ? undefined
    : `${describeValue(given)}, and no ending`;
};

/** What a plugin has put before the client: while a write is its own, nothing comes from inside. */
const watchWrites = ({ write }: Output, around: Around<Deliver, Ending>, writes: { pending: number }): Output => ({
  write: (bytes) => {
    writes.pending += 1;
    const done = (): void => void (writes.pending -= 1);
    try {
      const full = write(bytes);
      if (full === undefined) done();
      else around.own(full.finally(done));
      return full;
    } catch (thrown) {
      around.fail(thrown);
      throw thrown;
    }
  },
});

/**
 * An interceptor may wrap the delivery of an answer, or deliver one of its own. Its time is what passes while it waits neither for what it wrapped
 * nor for the client, and begins anew with everything that it writes. Skipped before it went on, it leaves the answer to go out as it came from
 * inside; where a part is lost in it, the answer ends with an error; once all of it is out, it stands.
 */
export function watchDelivery(parts: GuardParts): (watch: HookWatch, requestId: string) => Delivery {
  const [refused, stands] = [watchHook(parts, 'interceptor', 'fail'), watchHook(parts, 'interceptor', 'skip')];

  return (watch, requestId) => {
    const writes = { pending: 0 };
    let last: Reply | undefined;
    let lent: Reply | undefined;
    let around: Around<Deliver, Ending> | undefined;
    let isOut = false;

    const deliverInner = async (reply: Reply, output: Output): Promise<Ending> => {
      const ending = await reply.deliver(output);
      isOut = true;
      return ending;
    };
    const judge: HookWatch['judge'] = (thrown, id) =>
      (isOut ? stands : last === undefined || writes.pending > 0 ? refused : watch).judge(thrown, id);
    const deliver = (answer: Reply, output: Output): Promise<Ending> => {
      let isClosed = false;
      const instead = (): Promise<Ending> => {
        isClosed = true;
        return deliverInner(last ?? answer, output);
      };
      const { run, spare } = (around = createAround<Deliver, Ending>({
        watch: { ...watch, judge },
        requestId,
        inner: (given) => given(),
        argument: instead,
        once: true,
        check,
      }));
      const write: Output['write'] = (bytes) => {
        const full = isClosed ? undefined : output.write(bytes);
        spare(full);
        return full;
      };
      return run(async () => answer.deliver({ write }));
    };

    const cancel = (answer: Reply, reason: GatewayError): void => {
      try {
        answer.cancel(reason);
      } catch (thrown) {
        stands.judge(thrown, requestId);
        last?.cancel(reason);
      }
    };

    return {
      lend: (reply) => {
        last = reply;
        lent = {
          ...reply,
          deliver: (output) => {
            const here = around;
            return here === undefined
              ? reply.deliver(output)
              : here.next(() => deliverInner(reply, watchWrites(output, here, writes)));
          },
        };
        return lent;
      },
      accept: (answer) => {
        if (last !== undefined && answer.deliver === lent?.deliver)
          return answer === lent ? last : { ...answer, deliver: last.deliver };
        return { ...answer, deliver: (output) => deliver(answer, output), cancel: (reason) => cancel(answer, reason) };
      },
    };
  };
}
