export { builtIns } from '../../../core/built-ins.ts';
