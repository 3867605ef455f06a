import { fileURLToPath } from 'node:url';
import { omitUndefined } from '../../../core/api/codec.ts';
import { goodDay } from '../../../test/matrix/sample-bodies.ts';
import { startFuzzGateway } from '../gateway.ts';
import { isRefusedBody, readErrorFlaw, sendFuzz, type FuzzReply } from '../http.ts';
import type { FuzzOptions, ReportFinding, Surface, Target } from '../play.ts';
import { randomOf } from '../random.ts';
import { makeAnswer, type FuzzAnswer } from './answers.ts';
import { makeGoodRequest, makeRequest } from './requests.ts';
import { settingsFor, type Direction } from './settings.ts';
import { startFuzzUpstream } from './upstream.ts';
import { vendorText, type FuzzWire } from './wires.ts';

const LANES = 4;
const PLUGIN = fileURLToPath(new URL('../../../test/fixtures/extensions/planted-faults/index.ts', import.meta.url));

/**
 * What is wrong with the gateway's response, if anything. With random upstream responses, any error is allowed, the
 * upstream's own included.
 */
const judgeReply = (reply: FuzzReply, direction: Direction): string | undefined => {
  if (direction === 'answers') return undefined;
  return reply.status >= 500 ? `${reply.status}: ${reply.text.slice(0, 300)}` : readErrorFlaw(reply);
};

const goodAnswer = (wire: FuzzWire, streamed: boolean): FuzzAnswer => ({
  status: 200,
  headers: { 'content-type': streamed ? 'text/event-stream' : 'application/json' },
  pieces: [Buffer.from(vendorText(wire, streamed ? 'streamed' : 'plain', goodDay))],
  ending: 'end',
});

async function start(
  direction: Direction,
  { seed, planted = false }: FuzzOptions,
  report: ReportFinding,
): Promise<Target> {
  /** The running case of each lane. */
  const running: number[] = [];
  const upstream = await startFuzzUpstream((lane, wire, streamed) =>
    direction === 'answers'
      ? makeAnswer(randomOf(seed, running[lane] ?? 0), wire, streamed)
      : goodAnswer(wire, streamed),
  );
  const plugin = planted ? PLUGIN : undefined;
  const gateway = await startFuzzGateway({
    settings: settingsFor(omitUndefined({ url: upstream.url, lanes: LANES, direction, plugin })),
    report,
  });
  return {
    process: gateway,
    play: async ({ number, lane, random }) => {
      // With random responses, the request is a valid one of any wire and vendor.
      const request = direction === 'requests' ? makeRequest(random, lane) : makeGoodRequest(random, lane);
      running[lane] = number;
      try {
        const reply = await sendFuzz(gateway.url, request);
        const problem = judgeReply(reply, direction);
        if (problem !== undefined) report(problem, number);
        return String(reply.status);
      } catch (thrown) {
        if (!isRefusedBody(thrown)) throw thrown;
        return 'closed';
      }
    },
    stop: async () => {
      await gateway.stop();
      await upstream.stop();
    },
  };
}

const describe = (direction: Direction): Surface => ({
  name: direction,
  lanes: LANES,
  casesPerTarget: Number.MAX_SAFE_INTEGER,
  start: (options, report) => start(direction, options, report),
});
/** Random requests of every wire. */
export const requests = describe('requests');
/** Random responses of upstreams. */
export const answers = describe('answers');
