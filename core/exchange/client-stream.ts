import type { Operation } from '../canonical/wire.ts';
import type { ClientSide, WriteContext } from '../contracts/codec.ts';
import type { Exchange } from '../contracts/exchange.ts';
import type { Framing, FrameWriter } from '../contracts/framing.ts';
import type { Clock } from '../contracts/services.ts';
import { GatewayError } from '../errors.ts';
import { newId } from '../lanes/new-id.ts';

/** How streams are written to the client of one exchange. */
export interface ClientStream {
  readonly contentType: string;
  readonly writer: FrameWriter;
  /** Between frames, once content has been sent. */
  keepalive(client: ClientSide<Operation>): string;
  /** A whole stream that holds nothing but an error, in the client's wire. */
  errorText(client: ClientSide<Operation>, error: GatewayError): string;
}

export const createClientStream = (framing: Framing | undefined, exchange: Exchange, clock: Clock): ClientStream => {
  const writer = framing?.writer;
  if (framing === undefined || writer === undefined) throw new GatewayError('internal_error', `The framing ${exchange.framing} cannot be written to clients.`);
  return {
    contentType: framing.contentType,
    writer,
    keepalive: ({ keepalive }) => (keepalive === undefined ? writer.idle() : writer.frame(keepalive.event, keepalive.data, false)),
    errorText: (client, error) => {
      const context: WriteContext<Operation> = {
        request: exchange.request,
        created: Math.floor(clock.now() / 1_000),
        newId,
        lose: () => {},
        inputEstimate: exchange.estimate.inputTokens,
      };
      let text = '';
      let first = true;
      client.encodeStream?.(context).push({ type: 'error', error }, (event, data) => {
        text += writer.frame(event, data, first);
        first = false;
      });
      return text + writer.close();
    },
  };
};
