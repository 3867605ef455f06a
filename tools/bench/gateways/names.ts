import type { Rules } from './settings.ts';

/** The governed gateway, grown: see gateways.ts. */
export const variants = ['two workers', 'redis', 'postgres', 'large catalog', 'many keys'] as const;
export const peerNames = ['portkey', 'litellm'] as const;

export type Variant = (typeof variants)[number];
export type PeerName = (typeof peerNames)[number];
/** A gateway of the benchmark. Lanes that name the same one share its process. `upstream`: none. */
export type GatewayName = 'upstream' | 'floor' | 'bare' | PeerName | Rules | Variant;

const others = new Set<GatewayName>(['upstream', 'floor', 'bare', ...peerNames]);
export const isKoine = (name: GatewayName): boolean => !others.has(name);

/** Those that want a program or a package which is not here everywhere: where they cannot start, they are left out. */
const optional = new Set<GatewayName>([...peerNames, 'redis', 'postgres']);
export const isOptional = (name: GatewayName): boolean => optional.has(name);
