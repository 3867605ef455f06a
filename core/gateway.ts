/** The three ways to start a process: as a whole gateway, as the primary of its workers, or as a worker. */
export { startGateway } from './server/single-process.ts';
export type { Gateway, GatewayEnvironment } from './server/startup.ts';
export { startPrimary } from './server/primary-process.ts';
export { startWorker } from './server/worker-process.ts';
