import { expect } from 'chai';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { startUpstream, type TestUpstream } from '../support/upstream.ts';
import { settingsAt } from './catalog.ts';
import { pairOf, wires, type Json, type Models, type Pair, type Wire } from './wires.ts';

export interface MatrixScene {
  readonly gateway: TestGateway;
  readonly upstream: TestUpstream;
  /** Runs an exchange and returns its line in the access log. */
  logged(exchange: () => Promise<void>): Promise<Readonly<Record<string, unknown>>>;
  stop(): Promise<void>;
}

/** Starts one scripted upstream for all vendors, and a gateway in front of it. */
export const startMatrix = async (models?: readonly Models[], settings: Json = {}): Promise<MatrixScene> => {
  const upstream = await startUpstream();
  const gateway = await startTestGateway({ ...settingsAt(upstream.url, models), ...settings });
  return {
    gateway,
    upstream,
    logged: async (exchange) => {
      const before = gateway.exchanges().length;
      await exchange();
      await gateway.settled(before + 1);
      expect(gateway.exchanges()).to.have.length(before + 1);
      return gateway.exchanges()[before] ?? {};
    },
    stop: async () => {
      await gateway.stop();
      await upstream.stop();
      expect(gateway.lines.filter(({ level, text }) => level === 'error' && text !== 'exchange')).to.deep.equal([]);
    },
  };
};

type Body = (client: Wire, wire: Wire, pair: Pair) => { readonly title: string; readonly run: Mocha.AsyncFunc }[];

/** Defines tests for every pair of client and upstream. */
export const overPairs = (body: Body): void => {
  for (const client of wires) {
    for (const wire of wires) {
      for (const { title, run } of body(client, wire, pairOf(client, wire))) it(title, run);
    }
  }
};
