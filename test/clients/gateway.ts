import { parse } from 'yaml';
import { startKoine, type LogLine } from '../processes/koine-process.ts';
import { KEY } from '../support/gateway.ts';
import { until } from '../support/until.ts';
import { readSettings } from './read-page.ts';

export { KEY };

export interface PageGateway {
  /** The text with the address of this gateway in place of the page's. */
  address(text: string): string;
  /** Resolves with the exchanges since the last call, when there are at least so many. */
  exchanges(least: number): Promise<readonly LogLine[]>;
  end(): Promise<void>;
}

/** A gateway in a process of its own, with the settings that the page requires. @param server in addition */
export async function startPageGateway(page: string, server: object = {}): Promise<PageGateway> {
  const settings = parse(readSettings(page)) as Readonly<Record<string, unknown>>;
  const koine = await startKoine({ ...settings, plugins: [{ use: 'auth' }], server: { workers: 1, ...server } });
  let seen = 0;
  const read = (): readonly LogLine[] => koine.lines().filter(({ message }) => message === 'exchange');
  return {
    address: (text) => text.replaceAll('http://127.0.0.1:8787', koine.url),
    exchanges: async (least) => {
      await until(`the log has ${least} exchanges more`, () => read().length >= seen + least);
      const fresh = read().slice(seen);
      seen += fresh.length;
      return fresh;
    },
    end: () => koine.end(),
  };
}
