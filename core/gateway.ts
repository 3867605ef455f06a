/** The three ways in which a process can be a gateway, or a part of one. */
export { startGateway } from './runtime/one-process.ts';
export type { Gateway, GatewayEnvironment } from './runtime/opening.ts';
export { startPrimary } from './runtime/primary-process.ts';
export { startWorker } from './runtime/worker-process.ts';
