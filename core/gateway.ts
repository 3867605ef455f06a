/** The three ways in which a process can be a gateway, or a part of one. */
export { startGateway } from './server/single-process.ts';
export type { Gateway, GatewayEnvironment } from './server/startup.ts';
export { startPrimary } from './server/primary-process.ts';
export { startWorker } from './server/worker-process.ts';
