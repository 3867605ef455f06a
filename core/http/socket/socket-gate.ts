import type { IncomingMessage } from 'node:http';
import type { RequestHead, RouteInfo } from '../../contracts/exchange.ts';
import { GatewayError, toGatewayError } from '../../errors/gateway-error.ts';
import { DirectRequest, settleDirect, type DirectParts } from '../direct/direct-request.ts';
import type { Routes } from '../routes.ts';
import type { AcceptSocket } from './sockets.ts';

interface GateParts {
  readonly direct: DirectParts;
  readonly find: Routes['find'];
  readonly createHead: (request: IncomingMessage, info: RouteInfo) => RequestHead;
}

/**
 * Accepts an upgrade on the path of a wire that has sockets, with a valid key. The key is checked again with each
 * request of the socket. A wrong key is logged like a request with it.
 */
export const createSocketGate =
  ({ direct, find, createHead }: GateParts): AcceptSocket =>
  async (request) => {
    const [path = ''] = (request.url ?? '').split('?');
    const { info, route } = find('POST', path) ?? {};
    const wire = route?.client.socket;
    if (info === undefined || wire === undefined) throw new GatewayError('upgrade_refused');
    const head = createHead(request, info);
    direct.refCount?.enter();
    try {
      const { organization, project, key } = await direct.identify(head);
      return { wire, owner: JSON.stringify([organization, project, key]) };
    } catch (thrown) {
      const refused = new DirectRequest(head.startedAt);
      refused.error = toGatewayError(thrown);
      await settleDirect(direct, head, refused, refused.error.status);
      throw refused.error;
    } finally {
      direct.refCount?.leave();
    }
  };
