export { createCheck as create } from '../extras/check/check-service.ts';
