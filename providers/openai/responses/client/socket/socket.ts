import type { GatewayError } from '../../../../../core/api/index.ts';
import { readObject, type SocketDialog, type SocketTurn, type SocketWire } from '../../../../../core/api/codec.ts';
import { encodeError } from '../response/error.ts';
import { KeptItems } from './kept-items.ts';
import { CreateMessage } from './message.ts';
import { ResponsesTurn, writeFailure } from './turn.ts';

class ResponsesDialog implements SocketDialog {
  readonly #kept = new KeptItems();

  get heldBytes(): number {
    return this.#kept.bytes;
  }

  read(message: Buffer): SocketTurn {
    return new ResponsesTurn(new CreateMessage(message), this.#kept);
  }

  writeError(error: GatewayError): string {
    const { status, body } = encodeError(error);
    return writeFailure(status, readObject(body)['error'], undefined);
  }

  forget(): void {
    this.#kept.clear();
  }
}

/**
 * WebSocket mode: https://developers.openai.com/api/docs/guides/websocket-mode. A `response.create` is one request, and
 * each event of its response one message. A conversation that was not stored is continued from what its socket keeps.
 */
export const socket: SocketWire = { open: () => new ResponsesDialog() };
