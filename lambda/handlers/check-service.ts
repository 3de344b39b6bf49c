/** Makes the job that checks the service. */
export { createCheck as create } from '../jobs/check/check-service.ts';
