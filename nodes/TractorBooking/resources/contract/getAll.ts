import { contractsList } from '../../api/pages/fetch';
import { listOperation } from '../listOperation';

/** Contract > Get Many. */
export const getMany = listOperation(contractsList);
