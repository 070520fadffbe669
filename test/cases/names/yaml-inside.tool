name: yaml-inside
description: Say hi
bash: echo hi
