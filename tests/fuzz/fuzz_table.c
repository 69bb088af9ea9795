// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Tables of numbers: whatever the bytes, there is a table or words about what is wrong with it.

#include "whisker/io.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
    static const uint8_t none[1] = {0};
    wkTableData* table = NULL;
    if (wkTableData_Parse(size > 0 ? data : none, size, &table) == wk_ok) {
        // every number that is promised can be read
        volatile double sum = 0.0;
        for (size_t i = 0; i < (size_t)table->rowCount * (size_t)table->columnCount; i++) {
            sum = sum + table->values[i];
        }
    }
    wkTableData_Destroy(table);
    if (wkGetByteCount() != 0) {
        abort();
    }
    return 0;
}
