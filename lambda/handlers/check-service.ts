export { createCheck as create } from '../jobs/check/check-service.ts';
