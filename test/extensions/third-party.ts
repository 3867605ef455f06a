import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { loadConfig } from '../../core/config/load.ts';
import { startGateway, type Gateway } from '../../core/gateway.ts';
import { systemClock } from '../../core/services/clock.ts';
import { createTestLog, type LogLine } from '../../core/testing/index.ts';
import { builtIns } from '../support/gateway.ts';
import { send, type HttpReply } from '../support/http.ts';
import { startUpstream, type TestUpstream } from '../support/upstream.ts';

const file = fileURLToPath(new URL('../fixtures/extensions/third-party/gateway.yaml', import.meta.url));

export interface ThirdPartyGateway {
  readonly gateway: Gateway;
  readonly upstream: TestUpstream;
  readonly lines: readonly LogLine[];
  request(path: string, stream: boolean, headers?: Readonly<Record<string, string>>): Promise<HttpReply>;
  stop(): Promise<void>;
}

/** Starts a gateway with a plugin and a provider from files. */
export const startThirdParty = async (): Promise<ThirdPartyGateway> => {
  const folder = await mkdtemp(join(tmpdir(), 'koine-'));
  const upstream = await startUpstream();
  const log = createTestLog();
  const loaded = await loadConfig(file, builtIns, {
    ...process.env,
    PARLOUR_FOLDER: folder,
    PARLOUR_URL: upstream.url,
  });
  const gateway = await startGateway(loaded, { log, clock: systemClock });
  return {
    gateway,
    upstream,
    lines: log.lines,
    request: (
      path,
      stream,
      headers = { 'x-desk-key': 'let-me-in', 'content-type': 'application/json', 'anthropic-version': '2023-06-01' },
    ) =>
      send(gateway.data.url, {
        path,
        headers,
        body: JSON.stringify({
          model: 'house/talk',
          stream,
          max_tokens: 500,
          messages: [{ role: 'user', content: 'Hi' }],
        }),
      }),
    stop: async () => {
      gateway.cut();
      await gateway.stop();
      await upstream.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
};
