import { contractsList } from '../../api/lists';
import { listOperation } from '../listOperation';

/** Contract > Get Many. */
export const getMany = listOperation(contractsList);
